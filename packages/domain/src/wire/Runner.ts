import { Schema } from "effect"
import { runnerJobTypes } from "../enums/RunnerJobType.ts"
import { NullableString, NullableTimestamp, NumberConstant, Page, Timestamp } from "./Scalars.ts"

/** What runners register with (contract: RunnerRegistrationToken). */
export const RunnerRegistrationToken = Schema.Struct({
  id: Schema.Int,
  registrationToken: Schema.String,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  registeredRunnersCount: Schema.Int
}).annotate({ identifier: "RunnerRegistrationToken" })
export type RunnerRegistrationToken = typeof RunnerRegistrationToken.Type

/** Answer of `GET /runners/registration-tokens`. */
export const RunnerRegistrationTokenList = Page(RunnerRegistrationToken).annotate({
  identifier: "RunnerRegistrationTokenList"
})

/** A program elsewhere that works for the instance (contract: Runner). */
export const Runner = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  description: NullableString,
  ip: Schema.String,
  updatedAt: Timestamp,
  createdAt: Timestamp,
  lastContact: Timestamp,
  /** Null: the runner did not say. */
  version: NullableString
}).annotate({ identifier: "Runner" })
export type Runner = typeof Runner.Type

/** Answer of `GET /runners`. */
export const RunnerList = Page(Runner).annotate({ identifier: "RunnerList" })

/** Answer of `POST /runners/register`: only this answer contains the token. */
export const RegisteredRunner = Schema.Struct({ id: Schema.Int, runnerToken: Schema.String }).annotate({
  identifier: "RegisteredRunner"
})

const JobType = Schema.Literals(runnerJobTypes)
const Payload = Schema.Record(Schema.String, Schema.Unknown)

/** Answer of `POST /runners/jobs/request`. */
export const AvailableJobs = Schema.Struct({
  availableJobs: Schema.Array(Schema.Struct({ uuid: Schema.String, type: JobType, payload: Payload }))
}).annotate({ identifier: "RequestRunnerJobResult" })
export type AvailableJobs = typeof AvailableJobs.Type

const jobFields = {
  uuid: Schema.String,
  type: JobType,
  state: NumberConstant,
  /** Percent; null before the first report. */
  progress: Schema.NullOr(Schema.Int),
  /** Smaller is sooner. */
  priority: Schema.Int,
  failures: Schema.Int,
  error: NullableString,
  payload: Payload,
  startedAt: NullableTimestamp,
  finishedAt: NullableTimestamp,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  parent: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ id: Schema.Int, uuid: Schema.String, type: JobType, state: NumberConstant }))
  ),
  /** Who has it, or had it last. */
  runner: Schema.NullOr(Schema.Struct({ id: Schema.Int, name: Schema.String, description: NullableString }))
}

/** Answer of `POST /runners/jobs/{jobUUID}/accept`: only this answer contains the job token. */
export const AcceptedJob = Schema.Struct({
  job: Schema.Struct({ ...jobFields, jobToken: Schema.String }).annotate({ identifier: "AcceptedRunnerJob" })
}).annotate({ identifier: "AcceptRunnerJobResult" })
export type AcceptedJob = typeof AcceptedJob.Type

/** A job for runners as administrators see it (contract: RunnerJobAdmin). */
export const RunnerJobAdmin = Schema.Struct({ ...jobFields, privatePayload: Payload }).annotate({
  identifier: "RunnerJobAdmin"
})
export type RunnerJobAdmin = typeof RunnerJobAdmin.Type

/** Answer of `GET /runners/jobs`. */
export const RunnerJobList = Page(RunnerJobAdmin).annotate({ identifier: "RunnerJobList" })
