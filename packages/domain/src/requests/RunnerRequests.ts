import { Schema } from "effect"
import { runnerJobStates } from "../enums/RunnerJobState.ts"
import { runnerJobTypes } from "../enums/RunnerJobType.ts"
import { parseUuid } from "../ids/VideoUuid.ts"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { field, optional, type Reader } from "../fields/Field.ts"
import { fileName } from "../fields/FileName.ts"
import { pageReaders } from "./Pagination.ts"
import { query } from "./Query.ts"
import { idOf, integer, listOf, nullable, oneOf, text } from "../fields/Readers.ts"
import { rowId, userFields } from "./UserFields.ts"
import { characters } from "../fields/Values.ts"

/** Bounds of the contract (enums.json, Constraints). */
const bounds = {
  token: { min: 1, max: 1000 },
  name: { min: 1, max: 100 },
  description: { min: 1, max: 1000 },
  version: { min: 1, max: 100 },
  words: 5000
} as const

const token = (what: string) => text({ ...bounds.token, message: `Must be a ${what} token` })

const runnerToken = token("runner")
const jobToken = token("job")

/** What is seen in lists: control characters have no place in it. */
// oxlint-disable-next-line no-control-regex -- that is what is looked for
const plain = /^[^\u0000-\u001f\u007f-\u009f]*$/

// oxlint-disable-next-line no-control-regex -- that is what is looked for
const steering = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** The last words of a tool, of any length: the end is kept, which says most, without what terminals are steered by. */
const words: Reader<string> = {
  message: "Must be a text that says what happened",
  documented: { type: "string", minLength: 1, description: `Of a longer text, the last ${bounds.words} characters` },
  parse: (input) => {
    if (typeof input !== "string" || input === "") return undefined
    const readable = input
      .slice(-2 * bounds.words)
      .toWellFormed()
      .replaceAll(steering, " ")
    return characters(readable) <= bounds.words ? readable : [...readable].slice(-bounds.words).join("")
  }
}

const version = text({ ...bounds.version, pattern: plain, message: "Must be a version of 1 to 100 characters" })

/** Body of `POST /runners/register` (contract: RegisterRunnerBody). */
export const RegisterRunner = Schema.Struct({
  registrationToken: field(token("registration")),
  name: field(text({ ...bounds.name, pattern: plain, message: "Must be a name of 1 to 100 characters" })),
  description: optional(
    nullable(text({ ...bounds.description, message: "Must be a description of 1 to 1000 characters" }))
  ),
  version: optional(nullable(version))
})
export type RegisterRunner = typeof RegisterRunner.Type

/** Body of requests that name the runner alone. */
export const OfRunner = Schema.Struct({ runnerToken: field(runnerToken) })

/** Body of requests about a job that a runner holds. */
export const OfHeldJob = Schema.Struct({ runnerToken: field(runnerToken), jobToken: field(jobToken) })
export type OfHeldJob = typeof OfHeldJob.Type

/** Body of `POST /runners/jobs/request` (contract: RequestRunnerJobBody); types nobody knows match nothing. */
export const RequestJobs = Schema.Struct({
  runnerToken: field(runnerToken),
  jobTypes: optional(
    nullable(listOf(text({ min: 1, max: 100, message: "Must be a type of job" }), "Must be a list of types of jobs"))
  ),
  version: optional(nullable(version))
})
export type RequestJobs = typeof RequestJobs.Type

/** Body of `POST /runners/jobs/{jobUUID}/abort` (contract: AbortRunnerJobBody). */
export const AbortJob = Schema.Struct({ ...OfHeldJob.fields, reason: field(words) })

/** Body of `POST /runners/jobs/{jobUUID}/error` (contract: ErrorRunnerJobBody). */
export const FailJob = Schema.Struct({ ...OfHeldJob.fields, message: field(words) })

/** Fields of `POST /runners/jobs/{jobUUID}/update` besides those of the type (contract: RunnerJobUpdateBody). */
export const UpdateJob = Schema.Struct({
  ...OfHeldJob.fields,
  progress: optional(
    nullable(integer({ min: 0, max: 100, message: "Must be a whole number of percent from 0 to 100" }))
  ),
  payload: Schema.optionalKey(Schema.Unknown)
})

/** Payload of an update of a live (contract: LiveRTMPHLSTranscodingUpdatePayload), besides its files. */
export const LiveUpdate = Schema.Struct({
  type: Schema.Literals(["add-chunk", "remove-chunk"]),
  videoChunkFilename: field(fileName),
  resolutionPlaylistFilename: optional(nullable(fileName))
})

/** Path of a job. */
export const jobParams = {
  jobUUID: field<string>({
    message: "Must be the UUID of a job",
    documented: { type: "string", format: "uuid", minLength: 36, maxLength: 36 },
    parse: (input) => (typeof input === "string" ? parseUuid(input) : undefined)
  })
}

/** Path of a file that a job works on. */
export const jobFileParams = { ...jobParams, videoIdOrUUID: VideoIdOrUuid }

/** Path of a file that a task of a job uses. */
export const taskFileParams = { ...jobFileParams, filename: field(fileName) }

export const registrationTokenParams = { registrationTokenId: field(rowId("a registration token")) }
export const runnerParams = { runnerId: field(rowId("a runner")) }

/** Query of the lists of runners and of registration tokens. */
export const runnerListQuery = query(pageReaders(["createdAt"]))
export type RunnerListQuery = typeof runnerListQuery.Type

const runnerJobSorts = ["updatedAt", "createdAt", "priority", "state", "progress"] as const
export type RunnerJobSort = (typeof runnerJobSorts)[number]

/** Query of `GET /runners/jobs`. */
export const runnerJobListQuery = query({
  ...pageReaders(runnerJobSorts),
  search: userFields.search,
  stateOneOf: listOf(idOf(runnerJobStates, "Must be a state"), `Must be states out of ${runnerJobStates.join(", ")}`),
  typeOneOf: listOf(oneOf(runnerJobTypes, "Must be a type of job"), `Must be types out of ${runnerJobTypes.join(", ")}`)
})
export type RunnerJobListQuery = typeof runnerJobListQuery.Type
