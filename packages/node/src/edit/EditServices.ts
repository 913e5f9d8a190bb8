import { ChapterRows } from "@kinora/storage/videos/chapters/ChapterRows"
import { VideoPasswords } from "@kinora/storage/videos/passwords/VideoPasswords"
import { CaptionRows } from "@kinora/storage/videos/captions/CaptionRows"
import { CaptionUpload } from "../captions/CaptionUpload.ts"
import { EmbedRows } from "@kinora/storage/videos/embeds/EmbedRows"
import { PlayerThemes } from "@kinora/storage/players/PlayerThemes"
import { VideoPrivacy } from "@kinora/storage/videos/writes/VideoPrivacy"
import { VideoUpdates } from "@kinora/storage/videos/writes/VideoUpdates"
import { Layer } from "effect"
import { EditableVideos } from "./EditableVideos.ts"
import { EditPictures } from "./EditPictures.ts"
import { ScratchFolders } from "./ScratchFolders.ts"
import { VideoEdits } from "./VideoEdits.ts"

/**
 * Changing videos and what belongs to them. Needs `SqlClient`, `KinoraConfig`, `VideoAccess`, `ChannelRows`, `Pictures`,
 * `MomentPictures` and the object store.
 */
export const EditServices = VideoEdits.layer.pipe(
  Layer.provideMerge(EditPictures.layer),
  Layer.provideMerge(
    Layer.mergeAll(
      EditableVideos.layer,
      ScratchFolders.layer,
      CaptionRows.layer,
      CaptionUpload.layer,
      ChapterRows.layer,
      EmbedRows.layer,
      PlayerThemes.layer,
      VideoPasswords.layer
    )
  ),
  Layer.provideMerge(VideoUpdates.layer.pipe(Layer.provide(VideoPrivacy.layer)))
)
