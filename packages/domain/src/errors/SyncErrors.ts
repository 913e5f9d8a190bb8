import { Problem } from "./ProblemError.ts"

/** No such synchronisation of a channel. */
export class VideoChannelSyncNotFound extends Problem<VideoChannelSyncNotFound>()("VideoChannelSyncNotFound", {
  status: 404,
  detail: "Video channel synchronization not found"
}) {}
