import { Problem } from "./ProblemError.ts"

/** The instance does not follow it, or is not followed by it. */
export class FollowNotFound extends Problem<FollowNotFound>()("FollowNotFound", {
  status: 404,
  detail: "Follow not found"
}) {}

/** No other instance of this name is known here. */
export class ServerNotFound extends Problem<ServerNotFound>()("ServerNotFound", {
  status: 404,
  detail: "Server not found"
}) {}
