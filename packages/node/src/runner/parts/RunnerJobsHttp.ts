import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { defaultPage } from "@kinora/domain/requests/Pagination"
import type { OfHeldJob, RunnerJobListQuery } from "@kinora/domain/requests/RunnerRequests"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { type RunnerJobQuery, RunnerJobReads } from "@kinora/storage/runner/RunnerJobReads"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { ServedBucket } from "../../video/file/ServedBucket.ts"
import { type Answers, answer, respond } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { ByteServing, cachePolicies } from "../../platform/http/ByteServing.ts"
import { PartFiles } from "./PartFiles.ts"
import { RunnerAccess } from "../registration/RunnerAccess.ts"
import { RunnerJobFiles } from "../job/RunnerJobFiles.ts"
import { RunnerJobs } from "../job/RunnerJobs.ts"
import { RunnerSuccess } from "../job/RunnerSuccess.ts"
import { RunnerUpdates } from "../live/RunnerUpdates.ts"
import { runnerJobAdminWire } from "../registration/RunnerWire.ts"

/** Most recently changed first by default. */
const listQuery = (query: RunnerJobListQuery): RunnerJobQuery => ({
  start: query.start ?? defaultPage.start,
  count: query.count ?? defaultPage.count,
  sort: query.sort ?? { by: "updatedAt", descending: true },
  search: query.search,
  states: query.stateOneOf,
  types: query.typeOneOf
})

/** Runners download with POST, to send their tokens. Ranges and conditions work as with GET. */
const asGet = (request: HttpServerRequest): HttpServerRequest =>
  Object.create(request, { method: { value: "GET" } }) as HttpServerRequest

/** The endpoints of runner jobs. */
export const layer = apiGroup(
  "runnerJobs",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* RunnerAccess
    const jobs = yield* RunnerJobs
    const success = yield* RunnerSuccess
    const updates = yield* RunnerUpdates
    const reads = yield* RunnerJobReads
    const files = yield* RunnerJobFiles
    const bucket = yield* ServedBucket
    const bytes = yield* ByteServing
    const partFiles = yield* PartFiles

    const file =
      (find: RunnerJobFiles["Service"]["source"]) =>
      ({
        params,
        payload,
        request
      }: {
        readonly params: { readonly jobUUID: string; readonly videoIdOrUUID: VideoIdOrUuid }
        readonly payload: OfHeldJob
        readonly request: HttpServerRequest
      }) =>
        answer(
          Effect.gen(function* () {
            const { job } = yield* access.processing(params.jobUUID, payload, request)
            return respond<Uint8Array>(
              yield* bucket.serve(
                asGet(request),
                yield* find(job, params.videoIdOrUUID),
                cachePolicies.private,
                {},
                "here"
              )
            )
          })
        )

    return handlers.handleAll({
      getRunnersJobs: ({ query }) =>
        answer(
          Effect.map(reads.list(listQuery(query)), ({ data, total }) => ({
            total,
            data: data.map(runnerJobAdminWire)
          }))
        ),
      postRunnersJobsCancel: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => jobs.cancel(user, params.jobUUID))),
      postRunnersJobsRetry: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => jobs.retry(user, params.jobUUID))),
      deleteRunnersJobsByJobUUID: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => jobs.remove(user, params.jobUUID))),
      postRunnersJobsRequest: ({ payload, request }) =>
        answer(Effect.map(jobs.available(payload, request), (availableJobs) => ({ availableJobs }))),
      postRunnersJobsAccept: ({ params, payload, request }) =>
        answer(jobs.accept(params.jobUUID, payload.runnerToken, request)),
      postRunnersJobsAbort: ({ params, payload, request }) =>
        answer(jobs.abort(params.jobUUID, payload, payload.reason, request)),
      postRunnersJobsError: ({ params, payload, request }) =>
        answer(jobs.fail(params.jobUUID, payload, payload.message, request)),
      postRunnersJobsUpdate: ({ params, request }) => answer(updates.receive(params.jobUUID, request)),
      postRunnersJobsSuccess: ({ params, request }) => answer(success.receive(params.jobUUID, request)),
      postRunnersJobsFilesVideosMaxQuality: (asked) =>
        answer(
          Effect.gen(function* () {
            const { params, payload, request } = asked
            const { job } = yield* access.processing(params.jobUUID, payload, request)
            const key = yield* files.source(job, params.videoIdOrUUID)
            const cut = partFiles.cutOf(job)
            if (Option.isNone(cut))
              return respond<Uint8Array>(yield* bucket.serve(asGet(request), key, cachePolicies.private, {}, "here"))
            const served = { path: cut.value, contentType: "application/octet-stream" }
            return respond<Uint8Array>(
              yield* bytes.serve(asGet(request), { ...served, cacheControl: cachePolicies.private })
            )
          })
        ),
      postRunnersJobsFilesVideosMaxQualityAudio: file(files.audio),
      postRunnersJobsFilesVideosThumbnailsMaxQuality: file(files.picture),
      postRunnersJobsFilesVideosPreviewsMaxQuality: file(files.picture),
      postRunnersJobsFilesVideosStudioTaskFilesByFilename: ({ params, payload, request }) =>
        answer(
          Effect.gen(function* () {
            const { job } = yield* access.processing(params.jobUUID, payload, request)
            return yield* files.taskFile(job, params.videoIdOrUUID)
          })
        )
    } satisfies Answers<"runnerJobs">)
  })
)
