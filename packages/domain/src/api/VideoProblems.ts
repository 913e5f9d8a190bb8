import { problems } from "./Documentation.ts"

/** What operations on a single video that anyone may ask for answer when the video does not open to who asks. */
export const videoProblems = problems(
  400,
  [401, "video_requires_password"],
  [403, "incorrect_video_password", "does_not_respect_follow_constraints"],
  404
)
