import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ClusterNode } from "../../src/platform/cluster/ClusterNode.ts"
import { accountOf, report } from "../social/abuse/AbuseClient.ts"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { addVideo } from "../video/list/Videos.ts"
import { accountNode } from "./support/AccountNode.ts"
import { addUser, heading, minutes, openAs, says, takePictures, tokenOf } from "./support/Admins.ts"
import { accessible } from "./support/WorkingAreas.ts"

const matters = "[...document.querySelectorAll('.matter')].map((it) => it.textContent).join()"

const node = { name: "host-1:9000/aaaaaaaa", address: "node-1.internal:9100" }

const oneOfSeveral = accountNode().pipe(
  Layer.provide(Layer.succeed(ClusterNode, node)),
  Layer.provideMerge(Browser.layer)
)

layer(oneOfSeveral, { excludeTestServices: true, timeout: "120 seconds" })(
  "overview of those who moderate and run",
  (it) => {
    it.effect(
      "shows the nodes and what each runs",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* Effect.addFinalizer(() => Effect.ignore(sql`delete from cluster_node`))
          const task = (name: string, state = "running") => ({ name, state, restarts: 0 })
          const report = (tasks: ReadonlyArray<object>) => JSON.stringify({ entities: 3, tasks, lives: ["a-live"] })
          const both = ["settings", "job leases", "publishing 1"].map((name) => task(name))
          const once = ["outbox", "trends", "expired sessions"].map((name) => task(name))
          const add = (name: string, address: string, seconds: number, tasks: ReadonlyArray<object>) =>
            sql`insert into cluster_node (address, name, roles, runner, version, seen_at, report)
              values (${address}, ${name}, '{api,worker,ingest}', '{}', '1.0.0',
                now() + interval '1 hour' - ${seconds} * interval '1 second', ${report(tasks)}::jsonb)`
          yield* add(node.name, node.address, 0, [...both, ...once])
          yield* add("a-host-with-a-long-name-2:9000/bbbbbbbb", "node-2.internal:9100", 1, [
            ...both,
            task("webhooks", "backing-off")
          ])
          yield* add("host-3:9000/cccccccc", "node-3.internal:9100", 3700, once)
          const { page, problems } = yield* openAs("root", "/admin")
          yield* waitFor(page, `${says("Last seen")} && ${says("3 tasks only here")} && ${says("1 task is down")}`)
          const rows = yield* step("read the nodes", () =>
            page.getByRole("table", { name: "Nodes", exact: true }).locator("[data-row]").allInnerTexts()
          )
          assert.deepStrictEqual(rows.map((row) => /Alive|Lost|1 task is down/.exec(row)?.[0]).sort(), [
            "1 task is down",
            "Alive",
            "Lost"
          ])
          assert.isTrue(rows.some((row) => row.includes("answers you") && row.includes("0 shards, 3 entities, 1 live")))
          yield* step("open the tasks", () => page.getByText("3 tasks only here").click())
          yield* waitFor(page, says("expired sessions"))
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* takePictures(page, "overview-nodes")
          assert.deepStrictEqual(problems, [])
        }),
      minutes
    )

    it.effect(
      "shows what needs attention and leads there",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("ann")
          yield* addUser("mod", 1)
          yield* report(yield* tokenOf("ann"), { reason: "Writes spam", account: { id: yield* accountOf("mod") } })
          yield* sql`insert into job (type, payload, state, error) values ('video-transcoding', '{}', 'failed', 'No')`
          const waiting = yield* addVideo({ owner: "ann" })
          yield* sql`insert into video_blacklist (video_id, type) values (${waiting.id}, 2)`
          const { page, problems } = yield* openAs("root", "/admin")
          yield* waitFor(
            page,
            `${heading} === "Overview" && ${matters}.includes("1open report,1new video waits for a review,0videos held for their tags,0people ask for an account,1failed job") && ${says("Users")} && document.querySelector("table") !== null`
          )
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* takePictures(page, "overview")
          yield* step("go to the videos that wait", () =>
            page.getByRole("link", { name: "waits for a review" }).click()
          )
          yield* waitFor(
            page,
            `${heading} === "Blocked videos" && location.search === "?type=2" && document.querySelectorAll("[data-row]").length === 1`
          )
          yield* step("go back", () => page.goBack())
          yield* waitFor(page, `${heading} === "Overview"`)
          yield* step("go to the failed jobs", () => page.getByRole("link", { name: "failed job" }).click())
          yield* waitFor(page, `${heading} === "Jobs" && location.search === "?state=failed"`)
          assert.deepStrictEqual(problems, [])

          const moderator = yield* openAs("mod", "/admin")
          yield* waitFor(
            moderator.page,
            `${heading} === "Overview" && ${says("Users")} && ${matters}.includes("1new video waits for a review")`
          )
          assert.isFalse(
            yield* step("look", () => moderator.page.getByRole("link", { name: "failed job" }).isVisible())
          )
          assert.isFalse(
            yield* step("look", () => moderator.page.locator(".side").getByRole("link", { name: "Jobs" }).isVisible())
          )
          assert.deepStrictEqual(moderator.problems, [])
        }),
      minutes
    )
  }
)
