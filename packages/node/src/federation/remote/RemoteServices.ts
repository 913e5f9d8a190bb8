import { RemoteActorRows } from "@kinora/storage/federation/remote/RemoteActorRows"
import { RemoteDepartures } from "@kinora/storage/federation/remote/RemoteDepartures"
import { RemoteCopyRows } from "@kinora/storage/federation/remote/RemoteCopyRows"
import { RemoteCommentRows } from "@kinora/storage/federation/remote/RemoteCommentRows"
import { RemotePlaylistRows } from "@kinora/storage/federation/remote/RemotePlaylistRows"
import { RemoteVideoRows } from "@kinora/storage/federation/remote/RemoteVideoRows"
import { Layer } from "effect"
import { RemoteActors } from "./RemoteActors.ts"
import { remoteCopies } from "./RemoteCopiesLayer.ts"
import { RemoteComments } from "./RemoteComments.ts"
import { RemoteObjects } from "./RemoteObjects.ts"
import { RemotePlaylists } from "./RemotePlaylists.ts"
import { remoteThreads } from "./RemoteThreadsLayer.ts"
import { RemoteVideos } from "./RemoteVideos.ts"

const rows = Layer.mergeAll(
  RemoteActorRows.layer,
  RemoteDepartures.layer,
  RemoteVideoRows.layer,
  RemoteCommentRows.layer,
  RemotePlaylistRows.layer,
  RemoteCopyRows.layer
)

/** Reading other instances: needs `SqlClient`, `KinoraConfig`, `GuardedFetch`, `ObjectStore` and `Pictures`. */
export const RemoteServices = Layer.mergeAll(remoteThreads, RemotePlaylists.layer, remoteCopies).pipe(
  Layer.provideMerge(RemoteComments.layer),
  Layer.provideMerge(RemoteVideos.layer),
  Layer.provideMerge(RemoteActors.layer),
  Layer.provideMerge(RemoteObjects.layer),
  Layer.provideMerge(rows)
)
