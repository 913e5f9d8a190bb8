import { PlaylistElementReads } from "@kinora/storage/social/playlist/PlaylistElementReads"
import { PlaylistElements as PlaylistElementRows } from "@kinora/storage/social/playlist/PlaylistElements"
import { PlaylistLists } from "@kinora/storage/social/playlist/PlaylistLists"
import { replicated } from "@kinora/storage/platform/database/replica/Replicated"
import { PlaylistReads } from "@kinora/storage/social/playlist/PlaylistReads"
import { PlaylistRows } from "@kinora/storage/social/playlist/PlaylistRows"
import { PlaylistWrites } from "@kinora/storage/social/playlist/PlaylistWrites"
import { Layer } from "effect"
import { ListedPlaylists } from "./ListedPlaylists.ts"
import { PlaylistAccess } from "./PlaylistAccess.ts"
import { PlaylistActs } from "./PlaylistActs.ts"
import { PlaylistBody } from "./PlaylistBody.ts"
import { PlaylistElements } from "./PlaylistElements.ts"
import { PlaylistPictures } from "./PlaylistPictures.ts"
import { Playlists } from "./Playlists.ts"
import { PlaylistVideos } from "./PlaylistVideos.ts"

const rows = Layer.mergeAll(
  PlaylistElementReads.layer,
  PlaylistElementRows.layer,
  replicated(PlaylistLists, PlaylistLists.layer),
  PlaylistReads.layer,
  PlaylistWrites.layer
).pipe(Layer.provideMerge(PlaylistRows.layer))

/** Playlists: needs `SqlClient`, `KinoraConfig`, `ScratchFolders`, `ChannelRows`, `VideoReads`, `Pictures` and the object store. */
export const PlaylistServices = Playlists.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      ListedPlaylists.layer,
      PlaylistAccess.layer,
      PlaylistBody.layer,
      PlaylistElements.layer,
      PlaylistPictures.layer,
      PlaylistVideos.layer
    )
  ),
  Layer.provideMerge(PlaylistActs.layer),
  Layer.provideMerge(rows)
)
