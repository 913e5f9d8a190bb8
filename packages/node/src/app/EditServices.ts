import { ChapterReads } from "@kinora/storage/video/chapter/ChapterReads"
import { ChapterRows } from "@kinora/storage/video/chapter/ChapterRows"
import { VideoPasswords } from "@kinora/storage/video/password/VideoPasswords"
import { CaptionRows } from "@kinora/storage/video/caption/CaptionRows"
import { CaptionUpload } from "../video/caption/CaptionUpload.ts"
import { VideoCaptions } from "../video/caption/VideoCaptions.ts"
import { VideoChapters } from "../video/chapter/VideoChapters.ts"
import { EmbedRows } from "@kinora/storage/video/embed/EmbedRows"
import { PlayerThemes } from "@kinora/storage/video/player/PlayerThemes"
import { VideoPrivacy } from "@kinora/storage/video/write/VideoPrivacy"
import { VideoUpdates } from "@kinora/storage/video/write/VideoUpdates"
import { Layer } from "effect"
import { EditableVideos } from "../video/edit/EditableVideos.ts"
import { EditPictures } from "../video/edit/EditPictures.ts"
import { ScratchFolders } from "../video/edit/ScratchFolders.ts"
import { VideoEdits } from "../video/edit/VideoEdits.ts"
import { EmbedSettings } from "../video/embed/EmbedSettings.ts"
import { PasswordProtection } from "../video/password/PasswordProtection.ts"
import { PlayerSettings } from "../video/player/PlayerSettings.ts"

/**
 * Changing videos and what belongs to them. Needs `SqlClient`, `KinoraConfig`, `VideoAccess`, `VideoPermissions`,
 * `ChannelRows`, `Pictures`, `FrameCapture` and the object store.
 */
export const EditServices = Layer.mergeAll(
  VideoEdits.layer,
  VideoCaptions.layer,
  VideoChapters.layer,
  EmbedSettings.layer,
  PasswordProtection.layer,
  PlayerSettings.layer
).pipe(
  Layer.provideMerge(EditPictures.layer),
  Layer.provideMerge(
    Layer.mergeAll(
      EditableVideos.layer,
      ScratchFolders.layer,
      CaptionRows.layer,
      CaptionUpload.layer,
      ChapterReads.layer,
      ChapterRows.layer,
      EmbedRows.layer,
      PlayerThemes.layer,
      VideoPasswords.layer
    )
  ),
  Layer.provideMerge(VideoUpdates.layer.pipe(Layer.provide(VideoPrivacy.layer)))
)
