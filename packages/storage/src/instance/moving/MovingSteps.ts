import type { MovingStep } from "./steps/MovingStep.ts"
import { conversationSteps } from "./steps/ConversationSteps.ts"
import { peopleSteps } from "./steps/PeopleSteps.ts"
import { playlistSteps, userDataSteps } from "./steps/UserDataSteps.ts"
import { playlistThumbnails, videoFileSteps } from "./steps/VideoFileSteps.ts"
import { videoSteps } from "./steps/VideoSteps.ts"

/** All steps, in an order in which every row finds those that it names. */
export const movingSteps: ReadonlyArray<MovingStep> = [
  ...peopleSteps,
  ...videoSteps,
  ...videoFileSteps,
  ...playlistSteps,
  playlistThumbnails,
  ...conversationSteps,
  ...userDataSteps
]

/** Tables that steps read together with their own. */
export const joinedTables: ReadonlySet<string> = new Set(
  movingSteps.flatMap(({ select, table }) => (select?.tables ?? []).filter((one) => one !== table))
)

/** Tables that are known and left behind, and why. */
export const leftBehind: ReadonlyMap<string, string> = new Map([
  ["application", "versions of the old program"],
  ["oAuthClient", "the instance gets a client of its own, which programs ask for"],
  ["oAuthToken", "sessions: users log in again"],
  ["plugin", "there are no plugins"],
  ["runner", "runners are registered again"],
  ["runnerJob", "unfinished work of runners"],
  ["runnerRegistrationToken", "runners are registered again"],
  ["tracker", "trackers follow from the address of the instance"],
  ["videoTracker", "trackers follow from the address of the instance"],
  ["userExport", "archives that users asked for: they can ask again"],
  ["userImport", "archives that users brought"],
  ["videoJobInfo", "unfinished work of the old program"]
])
