import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { accountNode } from "./support/AccountNode.ts"
import { heading, minutes, openAs, says, takePictures } from "./support/Admins.ts"
import { accessible } from "./support/WorkingAreas.ts"

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "120 seconds" })(
  "statistics of the instance",
  (it) => {
    it.effect(
      "show a month, another span, and leave as a table",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { page, problems } = yield* openAs("root", "/admin/statistics")
          yield* waitFor(page, `${heading} === "Statistics" && ${says("There are no figures of this time yet")}`)
          yield* sql`
            insert into instance_sample (metric, hour, value)
            select metric, date_trunc('hour', now()) - make_interval(hours => h),
              case metric when 'responseBytes' then 3e9 + 1e8 * (h % 24) when 'fileBytes' then 9e10 - 1e8 * h when 'databaseBytes' then 4e9
                when 'requests' then 2000 + 150 * (h % 24) when 'jobsFailed' then h % 3 else 700 - h end
            from unnest(array['users', 'videos', 'views', 'fileBytes', 'databaseBytes', 'requests', 'responseBytes', 'jobsCompleted', 'jobsFailed',
              'jobsWaiting', 'followers', 'following', 'deliveries', 'deliveriesFailed', 'activitiesApplied', 'activitiesRefused',
              'deliveriesWaiting', 'activitiesWaiting']) metric, generate_series(0, 600) h`
          yield* step("load again", () => page.reload())
          yield* waitFor(page, `${says("Storage in GB")} && document.querySelectorAll(".plot canvas").length === 12`)
          yield* waitFor(page, says("Each point is a day"))
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* takePictures(page, "instance-statistics")
          yield* step("the last week", () => page.getByLabel("Time", { exact: true }).selectOption("7"))
          yield* waitFor(page, `${says("Each point is an hour")} && location.search === "?days=7"`)
          const saving = page.waitForEvent("download")
          yield* step("export", () => page.getByRole("button", { name: "Export as CSV: Jobs that ended" }).click())
          const file = yield* step("save", async () => (await saving).path())
          const lines = readFileSync(file, "utf8").split("\r\n")
          assert.strictEqual(lines[0], "Date,Completed,Failed")
          assert.match(lines[1]!, /^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z,\d+,\d$/)
          assert.deepStrictEqual(problems, [])
        }),
      minutes
    )
  }
)
