import { Schema } from "effect"
import { Problem } from "./ProblemError.ts"

/** No runner has this token: it never had, or it was unregistered. */
export class UnknownRunnerToken extends Problem<UnknownRunnerToken>()("UnknownRunnerToken", {
  status: 404,
  code: "unknown_runner_token",
  detail: "No runner has this token"
}) {}

/** No such registration token. */
export class RegistrationTokenNotFound extends Problem<RegistrationTokenNotFound>()("RegistrationTokenNotFound", {
  status: 404,
  detail: "Registration token not found"
}) {}

/** No such runner. */
export class RunnerNotFound extends Problem<RunnerNotFound>()("RunnerNotFound", {
  status: 404,
  detail: "Runner not found"
}) {}

/** No such job, or not one that was given to this runner under this job token. */
export class RunnerJobNotFound extends Problem<RunnerJobNotFound>()("RunnerJobNotFound", {
  status: 404,
  detail: "Runner job not found"
}) {}

/** The job was taken back, ended, or was cancelled: what comes late is of no use. */
export class RunnerJobNotInProcessingState extends Problem<RunnerJobNotInProcessingState>()(
  "RunnerJobNotInProcessingState",
  { status: 400, code: "runner_job_not_in_processing_state", detail: "This job is not being processed any more" }
) {}

/** Another runner has the job, or nobody needs it done. */
export class RunnerJobNotInPendingState extends Problem<RunnerJobNotInPendingState>()("RunnerJobNotInPendingState", {
  status: 409,
  code: "runner_job_not_in_pending_state",
  detail: "This job does not wait for a runner"
}) {}

/** The job has ended: there is nothing to cancel. */
export class RunnerJobEnded extends Problem<RunnerJobEnded>()("RunnerJobEnded", {
  status: 400,
  detail: "This job has ended: it cannot be cancelled"
}) {}

/** The job waits or is worked on: there is nothing to begin again. */
export class RunnerJobNotEnded extends Problem<RunnerJobNotEnded>()("RunnerJobNotEnded", {
  status: 400,
  detail: "This job has not failed: it cannot be begun again"
}) {}

/** The video was made anew, or is put together without the job, or runners are switched off. */
export class RunnerJobOutdated extends Problem<RunnerJobOutdated>()("RunnerJobOutdated", {
  status: 409,
  detail: "Nothing waits for this job any more: transcode the video again"
}) {}

/** The file is not one of the job's. */
export class NotOfThisJob extends Problem<NotOfThisJob>()("NotOfThisJob", {
  status: 403,
  detail: "This job is not about that video"
}) {}

/** None of the tasks of the job uses a file of this name. */
export class FileNotOfTask extends Problem<FileNotOfTask>()("FileNotOfTask", {
  status: 400,
  detail: "No task of this job has that file"
}) {}

/** Jobs of this kind are not made here. */
export class RunnerJobTypeUnsupported extends Problem<RunnerJobTypeUnsupported>()("RunnerJobTypeUnsupported", {
  status: 501,
  detail: ({ type }) => `Not implemented: runner jobs of the type ${type}`,
  fields: { type: Schema.String }
}) {}
