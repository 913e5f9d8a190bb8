import { key } from "../kinds/Key.ts"
import { boolean, integer, oneOf, pattern, secret, text, url } from "../kinds/Kind.ts"
import { size } from "../kinds/KindQuantities.ts"

const keyPrefix = pattern(/^[A-Za-z0-9!_.*'()/-]{0,512}$/, "letters, digits and ! - _ . * ' ( ) /")

const place = (name: string, what: string) => ({
  bucket_name: key(text, name, `Bucket of ${what}; empty: they stay on disk`),
  prefix: key(keyPrefix, "", `What keys of ${what} start with`)
})

const bucket = (name: string, what: string) => ({
  ...place(name, what),
  base_url: key(url, "", `Public address of ${what}; empty: that of the bucket`)
})

const acl = ["public-read", "private", "none"] as const

/** Where files live: folders on disk and buckets. Relative folders stand in `data_dir`. */
export const storage = {
  storage: {
    tmp: key(text, "tmp", "Temporary files, emptied at start"),
    tmp_persistent: key(text, "tmp-persistent", "Unfinished uploads: must survive a restart"),
    bin: key(text, "bin", "Downloaded programs"),
    avatars: key(text, "avatars", "Avatars and banners"),
    web_videos: key(text, "web-videos", "Web-video files"),
    streaming_playlists: key(text, "streaming-playlists", "HLS files"),
    original_video_files: key(text, "original-video-files", "Uploaded files that are kept"),
    redundancy: key(text, "redundancy", "Copies of videos of others"),
    logs: key(text, "logs", "Log files"),
    previews: key(text, "previews", "Folder of previews"),
    thumbnails: key(text, "thumbnails", "Folder of thumbnails"),
    storyboards: key(text, "storyboards", "Folder of storyboards"),
    torrents: key(text, "torrents", "Folder of torrent files"),
    captions: key(text, "captions", "Folder of captions"),
    cache: key(text, "cache", "Cached files of others"),
    plugins: key(text, "plugins", "Folder of plugins"),
    well_known: key(text, "well-known", "Files served below /.well-known/"),
    client_overrides: key(text, "client-overrides", "Files that replace those of the web page")
  },
  object_storage: {
    enabled: key(boolean, false, "Whether new files go to S3-compatible storage, by kind"),
    endpoint: key(
      text,
      "",
      "Host or address of the storage; set: files that are there are read, whether or not it is enabled"
    ),
    path_style: key(boolean, false, "Whether the bucket is part of the path instead of the host name"),
    region: key(text, "us-east-1", "Region of the storage"),
    upload_acl: {
      public: key(oneOf(acl), "public-read", "ACL of public files"),
      private: key(oneOf(acl), "private", "ACL of private files")
    },
    proxy: {
      proxify_private_files: key(boolean, true, "Whether private files are passed through the node, with its checks")
    },
    credentials: {
      access_key_id: key(text, "", "Access key"),
      secret_access_key: key(secret, "", "Secret of the access key")
    },
    max_upload_part: key(size, "100MB", "Size of one part of an upload"),
    max_request_attempts: key(integer(1, 100), 3, "Attempts of a request"),
    streaming_playlists: {
      ...bucket("streaming-playlists", "HLS files"),
      store_live_streams: key(boolean, true, "Whether lives are written there while they run")
    },
    web_videos: bucket("web-videos", "web-video files"),
    user_exports: bucket("user-exports", "archives of users"),
    original_video_files: bucket("original-video-files", "uploaded files"),
    thumbnails: place("", "thumbnails"),
    avatars: bucket("", "avatars and banners"),
    storyboards: place("", "storyboards"),
    captions: place("", "captions"),
    torrents: place("", "torrent files"),
    uploads: place("", "logos and other images of the instance"),
    user_imports: place("", "archives that users import"),
    staged_uploads: place(
      "",
      "unfinished uploads: set it for nodes that share no folders, so that any of them can go on and process"
    )
  },
  backup: {
    s3: {
      endpoint: key(text, "", "Host or address of the S3-compatible storage of `s3://` backups"),
      path_style: key(boolean, false, "Whether the bucket is part of the path instead of the host name"),
      region: key(text, "us-east-1", "Region of that storage"),
      credentials: {
        access_key_id: key(text, "", "Access key of backups: another one than that of `object_storage`"),
        secret_access_key: key(secret, "", "Secret of the access key of backups")
      },
      max_upload_part: key(size, "16MB", "Size of one part of an upload; up to twelve are held in memory"),
      max_request_attempts: key(integer(1, 100), 5, "Attempts of a request")
    },
    encryption: {
      passphrase: key(secret, "", "Encrypts backups; 12 characters or more; empty: they are not encrypted"),
      passphrase_file: key(
        text,
        "",
        "File whose first line is the passphrase, instead of `backup.encryption.passphrase`"
      )
    }
  },
  cache: {
    previews: { size: key(integer(0), 500, "Previews of others kept") },
    captions: { size: key(integer(0), 500, "Captions of others kept") },
    torrents: { size: key(integer(0), 500, "Torrents of others kept") },
    storyboards: { size: key(integer(0), 500, "Storyboards of others kept") }
  }
} as const
