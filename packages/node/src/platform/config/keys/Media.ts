import { defaultQuality, videoCodecs } from "@kinora/media/ladder/VideoCodec"
import { presets } from "@kinora/media/settings/Preset"
import { Schema } from "effect"
import { key } from "../kinds/Key.ts"
import { boolean, integer, nullable, oneOf, port, secretPattern, text, url } from "../kinds/Kind.ts"
import { list, records } from "../kinds/KindLists.ts"
import { duration, durationOrForever, size, sizeOrUnlimited } from "../kinds/KindQuantities.ts"

const resolutions = (on: boolean) => ({
  "0p": key(boolean, false, "Whether an audio-only rendition is made"),
  "144p": key(boolean, false, "Whether a 144p rendition is made"),
  "240p": key(boolean, on, "Whether a 240p rendition is made"),
  "360p": key(boolean, on, "Whether a 360p rendition is made"),
  "480p": key(boolean, on, "Whether a 480p rendition is made"),
  "720p": key(boolean, on, "Whether a 720p rendition is made"),
  "1080p": key(boolean, on, "Whether a 1080p rendition is made"),
  "1440p": key(boolean, false, "Whether a 1440p rendition is made"),
  "2160p": key(boolean, false, "Whether a 2160p rendition is made")
})

/** What encoders put into an address as it is. */
const passphrase = secretPattern(/^[\w.~-]{10,64}$/, "10 to 64 letters, digits, hyphens, points, underscores or tildes")

/** What happens to videos: tools, uploads, transcoding, live, import and export. */
export const media = {
  ffmpeg: {
    path: key(nullable(text), null, "Path of ffmpeg", "`ffmpeg` on PATH, else the packaged one"),
    allow_outdated: key(boolean, false, "Whether uploads are taken although ffmpeg is too old to be safe")
  },
  ffprobe: {
    path: key(nullable(text), null, "Path of ffprobe", "`ffprobe` on PATH, else the packaged one")
  },
  ytdlp: {
    path: key(nullable(text), null, "Path of yt-dlp", "`import.videos.http.youtube_dl_release.name` on PATH")
  },
  uploads: {
    max_file_size: key(sizeOrUnlimited, "200GB", "Largest file taken"),
    expiration: key(duration, "1 day", "Silence after which an unfinished resumable upload is removed"),
    reserve_disk: key(size, "1GB", "Free disk that uploads leave untouched")
  },
  media_limits: {
    encode_memory: key(size, "6GB", "Address space of one encoding ffmpeg"),
    encode_timeout: key(duration, "2 days", "Time one encoding ffmpeg has"),
    probe_memory: key(size, "2GB", "Address space of one probing ffprobe or ffmpeg"),
    probe_timeout: key(duration, "20 seconds", "Time one probe has")
  },
  transcoding: {
    enabled: key(boolean, true, "Whether videos are transcoded; off: only what browsers play is published"),
    original_file: { keep: key(boolean, false, "Whether the uploaded file is kept") },
    allow_additional_extensions: key(boolean, true, "Whether formats other than mp4, webm and ogv are taken"),
    allow_audio_files: key(boolean, true, "Whether audio files are taken and get a still picture"),
    remote_runners: {
      enabled: key(boolean, false, "Whether remote runners transcode instead of this node"),
      local_after: key(
        durationOrForever,
        "5 minutes",
        "How long a job waits for a runner until this node does it (0: not at all; -1: for ever)"
      ),
      split: {
        enabled: key(boolean, true, "Whether runners that can are given long videos in parts"),
        min_duration: key(duration, "2 minutes", "Length from which a video is split"),
        part_duration: key(duration, "15 seconds", "Length of a part at most; longer when there would be too many")
      }
    },
    threads: key(integer(0, 1024), 1, "Threads of one ffmpeg (0: its own choice)"),
    concurrency: key(integer(1, 1024), 1, "Videos transcoded at the same time"),
    profile: key(text, "default", "Transcoding profile"),
    preset: key(oneOf(presets), "veryfast", "Effort of the encoder: faster presets make larger files"),
    codec: key(oneOf(videoCodecs), "h264", "Codec of renditions; only H.264 plays everywhere (docs/transcoding.md)"),
    keep_h264: key(boolean, true, "Whether one rendition of at most 480p stays H.264 when the codec is another"),
    crf: {
      h264: key(integer(0, 51), defaultQuality.h264, "Quality of H.264 (CRF): smaller is better and larger"),
      hevc: key(integer(0, 51), defaultQuality.hevc, "Quality of HEVC (CRF)"),
      av1: key(integer(1, 63), defaultQuality.av1, "Quality of AV1 (CRF)"),
      vp9: key(integer(0, 63), defaultQuality.vp9, "Quality of VP9 (CRF)")
    },
    metadata: key(
      oneOf(["strip", "keep"]),
      "strip",
      "What becomes of what a file says of itself: place, device, title, comment, time, chapters"
    ),
    resolutions: resolutions(true),
    always_transcode_original_resolution: key(boolean, true, "Whether the source's own resolution is always made"),
    always_transcode_podcast_optimized_audio: key(
      boolean,
      false,
      "Whether an audio file made for podcast players is always made"
    ),
    fps: { max: key(integer(1, 240), 60, "Highest frame rate of a rendition") },
    web_videos: { enabled: key(boolean, true, "Whether mp4 files for plain players and downloads are made") },
    hls: {
      enabled: key(boolean, true, "Whether HLS playlists are made"),
      split_audio_and_video: key(boolean, false, "Whether audio gets a rendition of its own")
    }
  },
  live: {
    enabled: key(boolean, false, "Whether users may stream live"),
    max_duration: key(integer(-1), -1, "Longest live in milliseconds (-1: no limit)"),
    max_instance_lives: key(integer(-1), 20, "Lives of the instance at the same time (-1: no limit)"),
    max_user_lives: key(integer(-1), 3, "Lives of one user at the same time (-1: no limit)"),
    allow_replay: key(boolean, true, "Whether a live may be kept as a video"),
    latency_setting: { enabled: key(boolean, true, "Whether users choose the latency") },
    dvr: { max_window: key(duration, "1 hour", "How far viewers may go back in a live") },
    hls: {
      container: key(
        oneOf(["mpegts", "fmp4"]),
        "mpegts",
        "What segments of lives are: MPEG transport streams, or fragmented MP4 (always for HEVC and AV1)"
      ),
      low_latency: key(
        boolean,
        false,
        "Whether segments are offered in parts as they arrive (Low-Latency HLS, in fragmented MP4)"
      )
    },
    reconnect_grace: key(duration, "1 minute", "How long a publisher whose connection broke may come back"),
    rtmp: {
      enabled: key(boolean, true, "Whether RTMP is listened for"),
      hostname: key(nullable(text), null, "Address RTMP listens on; none: the one that HTTP listens on"),
      port: key(port, 1935, "Port RTMP listens on"),
      public_hostname: key(nullable(text), null, "Host name shown to users; none: the public one")
    },
    rtmps: {
      enabled: key(boolean, false, "Whether RTMPS is listened for"),
      hostname: key(nullable(text), null, "Address RTMPS listens on; none: the one that HTTP listens on"),
      port: key(port, 1936, "Port RTMPS listens on"),
      key_file: key(text, "", "File of the TLS key"),
      cert_file: key(text, "", "File of the TLS certificate"),
      public_hostname: key(nullable(text), null, "Host name shown to users; none: the public one")
    },
    whip: {
      enabled: key(boolean, false, "Whether publishers are taken by WebRTC (WHIP), browsers among them"),
      hostname: key(nullable(text), null, "Address WebRTC listens on; none: the one that HTTP listens on"),
      port: key(port, 1937, "UDP port of WebRTC"),
      public_addresses: key(
        list(text),
        [],
        "IP addresses at which publishers reach that port; none: those of this host"
      ),
      ice_servers: key(list(text), [], "Addresses of STUN servers that publishers are pointed to (stun:host:port)")
    },
    srt: {
      enabled: key(boolean, false, "Whether SRT is listened for"),
      hostname: key(nullable(text), null, "Address SRT listens on; none: the one that HTTP listens on"),
      port: key(port, 8890, "UDP port SRT listens on"),
      public_hostname: key(nullable(text), null, "Host name shown to users; none: the public one"),
      passphrase: key(nullable(passphrase), null, "What publishers encrypt with; none: they must not encrypt")
    },
    transcoding: {
      enabled: key(boolean, true, "Whether lives are transcoded"),
      remote_runners: { enabled: key(boolean, false, "Whether remote runners transcode lives") },
      threads: key(integer(0, 1024), 2, "Threads of one live's ffmpeg (0: its own choice)"),
      profile: key(text, "default", "Transcoding profile of lives"),
      resolutions: resolutions(false),
      always_transcode_original_resolution: key(boolean, true, "Whether the live's own resolution is always made"),
      fps: { max: key(integer(1, 240), 60, "Highest frame rate of a live rendition") }
    }
  },
  video_studio: {
    enabled: key(boolean, false, "Whether users may cut and decorate videos"),
    remote_runners: { enabled: key(boolean, false, "Whether remote runners do that work") }
  },
  video_transcription: {
    enabled: key(boolean, false, "Whether captions are written by a speech model"),
    engine: key(oneOf(["whisper-ctranslate2", "openai-whisper"]), "whisper-ctranslate2", "Program that transcribes"),
    engine_path: key(nullable(text), null, "Path of that program"),
    model: key(text, "small", "Name of the model"),
    model_path: key(nullable(text), null, "Path of the model"),
    remote_runners: { enabled: key(boolean, false, "Whether remote runners transcribe") }
  },
  video_file: { update: { enabled: key(boolean, false, "Whether users may replace the file of a video") } },
  import: {
    videos: {
      concurrency: key(integer(1, 1024), 1, "Videos imported at the same time"),
      timeout: key(duration, "2 hours", "Time one import has"),
      http: {
        enabled: key(boolean, false, "Whether videos may be imported from an address"),
        youtube_dl_release: {
          url: key(
            url,
            "https://api.github.com/repos/yt-dlp/yt-dlp/releases",
            "Where releases of the download program are looked up; not used: it is installed by the operator"
          ),
          name: key(text, "yt-dlp", "Name of yt-dlp on PATH, or its absolute path; `ytdlp.path` wins"),
          python_path: key(
            text,
            "/usr/bin/python3",
            "Python that confines it, and runs it when it is no program by itself; else `python3` on PATH"
          )
        },
        force_ipv4: key(boolean, false, "Whether yt-dlp reaches pages and their videos over IPv4 alone"),
        proxies: key(
          nullable(list(text)),
          null,
          "Proxies of others; not used: every connection is made by the instance itself, to addresses it has checked"
        )
      },
      torrent: { enabled: key(boolean, false, "Whether torrents and magnet links may be imported") }
    },
    video_channel_synchronization: {
      enabled: key(boolean, false, "Whether channels elsewhere can be followed by import"),
      max_per_user: key(integer(0), 10, "Synchronisations of one user"),
      check_interval: key(duration, "1 hour", "Time between two looks for new videos"),
      videos_limit_per_synchronization: key(integer(1), 10, "Videos imported in one round"),
      full_sync_videos_limit: key(integer(1), 1000, "Videos imported in a full synchronisation")
    },
    users: { enabled: key(boolean, true, "Whether users may import an archive") }
  },
  export: {
    users: {
      enabled: key(boolean, true, "Whether users may export an archive"),
      max_user_video_quota: key(size, "10GB", "Size of a user's videos up to which they are in the archive"),
      export_expiration: key(duration, "2 days", "Time an archive is kept")
    }
  },
  storyboards: {
    enabled: key(boolean, true, "Whether players get previews for the seek bar"),
    remote_runners: { enabled: key(boolean, true, "Whether remote runners make them, where runners transcode") }
  },
  thumbnails: {
    generation_from_video: {
      frames_to_analyze: key(integer(1, 1000), 50, "Frames among which the thumbnail is chosen")
    },
    sizes: key(
      records(Schema.Struct({ width: Schema.Int, height: Schema.Int }), "{ width, height }"),
      [
        { width: 280, height: 157 },
        { width: 850, height: 480 }
      ],
      "Sizes in pixels of thumbnail and preview"
    )
  },
  download: {
    max_total_bytes_per_second: key(nullable(size), null, "Bytes per second of all downloads together"),
    max_bytes_per_ip_per_second: key(nullable(size), null, "Bytes per second of the downloads of one address"),
    max_generated_videos: key(integer(1, 1024), 8, "Videos put together at the same time for downloads")
  }
} as const
