import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { jobStates } from "../enums/JobState.ts"
import { jobTypes } from "../enums/JobType.ts"
import { optional } from "../requests/Field.ts"
import { pageReaders } from "../requests/Pagination.ts"
import { query } from "../requests/Query.ts"
import { oneOf } from "../requests/Readers.ts"
import { Debug } from "../wire/Debug.ts"
import { JobList } from "../wire/Job.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const Pong = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html" }))

/** The running node: is it there, how is it, what does it work on. */
export class ServerApi extends HttpApiGroup.make("server", { topLevel: true })
  .add(
    HttpApiEndpoint.get("ping", "/api/v1/ping", { success: Pong }).annotate(Docs, {
      tag: "Misc",
      summary: "Answers `pong`"
    }),
    HttpApiEndpoint.get("getDebug", "/api/v1/server/debug", { success: Debug })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag: "Debug",
        summary: "The state of the running node",
        right: "MANAGE_DEBUG",
        problems: problems(403)
      }),
    HttpApiEndpoint.get("getJobs", "/api/v1/jobs/:state?", {
      params: { state: optional(oneOf(jobStates, `Must be one of ${jobStates.join(", ")}`)) },
      query: query({
        ...pageReaders(["createdAt"]),
        jobType: oneOf(jobTypes, `Must be one of ${jobTypes.join(", ")}`)
      }),
      success: JobList
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag: "Job",
        summary: "List jobs of a state, or of all",
        right: "MANAGE_JOBS",
        problems: problems(400, 403)
      })
  )
  .annotate(OpenApi.Title, "Misc") {}
