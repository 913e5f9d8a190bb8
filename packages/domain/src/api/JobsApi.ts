import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { jobStates } from "../enums/JobState.ts"
import { jobTypes } from "../enums/JobType.ts"
import { optional } from "../fields/Field.ts"
import { pageReaders } from "../requests/Pagination.ts"
import { query } from "../requests/Query.ts"
import { oneOf } from "../fields/Readers.ts"
import { JobList } from "../wire/Job.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

/** The job board, for administrators. */
export class JobsApi extends HttpApiGroup.make("jobs", { topLevel: true })
  .add(
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
        summary: "List jobs of a state, or of all",
        right: "MANAGE_JOBS",
        problems: problems(400, 403)
      }),
    HttpApiEndpoint.post("postJobsPause", "/api/v1/jobs/pause", { success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Let no job begin until they are resumed; those that run go on",
        right: "MANAGE_JOBS",
        problems: problems(403)
      }),
    HttpApiEndpoint.post("postJobsResume", "/api/v1/jobs/resume", { success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Let jobs begin again", right: "MANAGE_JOBS", problems: problems(403) })
  )
  .annotate(OpenApi.Title, "Job") {}
