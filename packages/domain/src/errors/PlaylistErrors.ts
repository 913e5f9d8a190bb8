import { Problem } from "./ProblemError.ts"

/** No such playlist, or one the viewer may not know of. */
export class PlaylistNotFound extends Problem<PlaylistNotFound>()("PlaylistNotFound", {
  status: 404,
  detail: "Playlist not found"
}) {}

/** The playlist has no such element. */
export class PlaylistElementNotFound extends Problem<PlaylistElementNotFound>()("PlaylistElementNotFound", {
  status: 404,
  detail: "Playlist element not found"
}) {}

/** The viewer may not see the playlist, and may know that it exists. */
export class PlaylistForbidden extends Problem<PlaylistForbidden>()("PlaylistForbidden", {
  status: 403,
  detail: "You may not see this playlist"
}) {}
