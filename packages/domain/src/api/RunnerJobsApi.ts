import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { jsonOrForm } from "../requests/Payload.ts"
import {
  AbortJob,
  FailJob,
  jobFileParams,
  jobParams,
  OfHeldJob,
  OfRunner,
  RequestJobs,
  runnerJobListQuery,
  taskFileParams
} from "../requests/RunnerRequests.ts"
import { AcceptedJob, AvailableJobs, RunnerJobList } from "../wire/Runner.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const right = "MANAGE_RUNNERS"
const jobs = "/api/v1/runners/jobs"
const job = `${jobs}/:jobUUID`

const unknown = [404, "unknown_runner_token"] as const
const ended = [400, "runner_job_not_in_processing_state"] as const

const token = { type: "string", minLength: 1, maxLength: 1000 }
const file = { type: "string", format: "binary" }
const tokens = { jobToken: token, runnerToken: token }

/** What an update or a result brings, besides the files: the tokens come first in a form, so that who sends is known before. */
const updateFields = {
  ...tokens,
  progress: { type: "integer", minimum: 0, maximum: 100 },
  payload: { type: "object", description: "Of the job types that are given out, empty" }
}

const binary = {
  200: { description: "The file, or the ranges asked for", content: "application/octet-stream" },
  206: { description: "The ranges asked for", content: "application/octet-stream" }
}

const files = `${job}/files/videos/:videoIdOrUUID`
const bytes = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array())
const ofFile = { params: jobFileParams, payload: jsonOrForm(OfHeldJob), success: bytes }
const fileProblems = problems(ended, 403, unknown, 416)

/** Work that is given to runners. Runners show their tokens in bodies. */
export class RunnerJobsApi extends HttpApiGroup.make("runnerJobs", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getRunnersJobs", jobs, { query: runnerJobListQuery, success: RunnerJobList })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List jobs for runners", right, problems: problems(400, 403) }),
    HttpApiEndpoint.post("postRunnersJobsCancel", `${job}/cancel`, {
      params: jobParams,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Cancel a job, and those that wait for it",
        right,
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.post("postRunnersJobsRetry", `${job}/retry`, {
      params: jobParams,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Begin a job again that failed or was cancelled; a ladder that failed with it goes on",
        right,
        problems: problems(400, 403, 404, 409)
      }),
    HttpApiEndpoint.delete("deleteRunnersJobsByJobUUID", job, { params: jobParams, success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Delete a job, and those that wait for it",
        right,
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.post("postRunnersJobsRequest", `${jobs}/request`, {
      payload: jsonOrForm(RequestJobs),
      success: AvailableJobs
    }).annotate(Docs, {
      summary: "Request available jobs: the ten most urgent at most",
      problems: problems(400, unknown)
    }),
    HttpApiEndpoint.post("postRunnersJobsAccept", `${job}/accept`, {
      params: jobParams,
      payload: jsonOrForm(OfRunner),
      success: AcceptedJob
    }).annotate(Docs, {
      summary: "Accept a job; of several runners one gets it",
      problems: problems(400, unknown, [409, "runner_job_not_in_pending_state"])
    }),
    HttpApiEndpoint.post("postRunnersJobsAbort", `${job}/abort`, {
      params: jobParams,
      payload: jsonOrForm(AbortJob),
      success: HttpApiSchema.NoContent
    }).annotate(Docs, { summary: "Abort a job and give it back", problems: problems(ended, unknown) }),
    HttpApiEndpoint.post("postRunnersJobsError", `${job}/error`, {
      params: jobParams,
      payload: jsonOrForm(FailJob),
      success: HttpApiSchema.NoContent
    }).annotate(Docs, {
      summary: "Report that a job failed; it is tried five times in all",
      problems: problems(ended, unknown)
    }),
    HttpApiEndpoint.post("postRunnersJobsUpdate", `${job}/update`, {
      params: jobParams,
      success: HttpApiSchema.NoContent
    }).annotate(Docs, {
      summary: "Report the progress of a job and renew its lease",
      body: {
        "multipart/form-data": { type: "object", required: ["jobToken", "runnerToken"], properties: updateFields },
        "application/json": { type: "object", required: ["jobToken", "runnerToken"], properties: updateFields }
      },
      problems: problems(ended, unknown, 408, 413, 415)
    })
  )
  .add(
    HttpApiEndpoint.post("postRunnersJobsSuccess", `${job}/success`, {
      params: jobParams,
      success: HttpApiSchema.NoContent
    }).annotate(Docs, {
      summary: "Submit the result of a job; in the form, tokens come before files",
      body: {
        "multipart/form-data": {
          type: "object",
          required: ["jobToken", "runnerToken"],
          properties: {
            ...tokens,
            payload: { type: "object", description: "The files of the type, as payload[…]" },
            "payload[videoFile]": file,
            "payload[resolutionPlaylistFile]": file,
            "payload[storyboardFile]": file
          }
        }
      },
      problems: problems(ended, unknown, 408, 413, 415, 507)
    }),
    HttpApiEndpoint.post("postRunnersJobsFilesVideosMaxQuality", `${files}/max-quality`, ofFile).annotate(Docs, {
      summary: "Get the video a job works on, as it was uploaded, whole or in ranges",
      answers: binary,
      problems: fileProblems
    }),
    HttpApiEndpoint.post("postRunnersJobsFilesVideosMaxQualityAudio", `${files}/max-quality/audio`, ofFile).annotate(
      Docs,
      {
        summary: "Get the sound of the video a job works on, where it is a file of its own",
        answers: binary,
        problems: fileProblems
      }
    ),
    HttpApiEndpoint.post(
      "postRunnersJobsFilesVideosThumbnailsMaxQuality",
      `${files}/thumbnails/max-quality`,
      ofFile
    ).annotate(Docs, {
      summary: "Get the largest picture of the video a job works on",
      answers: binary,
      problems: fileProblems
    }),
    HttpApiEndpoint.post(
      "postRunnersJobsFilesVideosPreviewsMaxQuality",
      `${files}/previews/max-quality`,
      ofFile
    ).annotate(Docs, {
      summary: "Get the largest picture of a job's video (former address)",
      deprecated: true,
      answers: binary,
      problems: fileProblems
    }),
    HttpApiEndpoint.post(
      "postRunnersJobsFilesVideosStudioTaskFilesByFilename",
      `${files}/studio/task-files/:filename`,
      { ...ofFile, params: taskFileParams }
    ).annotate(Docs, {
      summary: "Get a file that a task of a job adds to the video; no job that is made here has tasks",
      answers: binary,
      problems: fileProblems
    })
  )
  .annotate(OpenApi.Title, "Runner Jobs") {}
