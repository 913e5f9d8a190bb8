import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Follows } from "../../src/federation/follow/Follows.ts"
import { followTasks } from "../../src/federation/follow/FollowTasks.ts"
import { actorId, farActor } from "../federation/follow/FarActors.ts"
import { farInstance } from "../federation/follow/FarInstance.ts"
import { send } from "../instance/about/Client.ts"
import { baseUrl } from "../instance/about/TestNode.ts"
import { Browser, step, visit, waitFor } from "../support/Browser.ts"
import { accountNode } from "./support/AccountNode.ts"
import { addUser, heading, minutes, openAs, says, takePictures } from "./support/Admins.ts"
import { accessible } from "./support/WorkingAreas.ts"

const rows = "[...document.querySelectorAll('tr[data-row]')]"
const rowSays = (...texts: ReadonlyArray<string>) =>
  `${rows}.some((it) => ${texts.map((text) => `it.textContent.includes(${JSON.stringify(text)})`).join(" && ")})`

const node = followTasks.pipe(
  Layer.provideMerge(accountNode({ followers: { instance: { manual_approval: true } } })),
  Layer.provideMerge(Browser.layer)
)

layer(node, { excludeTestServices: true, timeout: "120 seconds" })("the page of federation", (it) => {
  it.effect(
    "follows others, and follows them no longer",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const far = yield* farInstance
        const instance = far.actor("Application", "peertube")
        const owner = far.actor("Person", "ann")
        far.actor("Group", "ann_channel", { attributedTo: [owner] })
        const { page, problems } = yield* openAs("root", "/admin/follows")
        yield* waitFor(page, `${heading} === "Federation" && ${says("Nobody is followed")}`)
        yield* step("what is no host", async () => {
          await page.getByRole("button", { name: "Follow", exact: true }).click()
          await page.getByLabel("Instances, channels or accounts").fill(`no_host\n${far.host}`)
          await page.getByRole("dialog").getByRole("button", { name: "Follow", exact: true }).click()
        })
        yield* waitFor(
          page,
          `document.querySelector("dialog .f-error")?.textContent === "“no_host” is neither a host nor a handle."`
        )
        assert.deepStrictEqual(yield* step("ask axe of the dialog", () => accessible(page)), [])
        yield* takePictures(page, "follows-dialog")
        // What the server alone knows it names by its place; the page names it by its name.
        yield* step("this instance", async () => {
          await page.getByLabel("Instances, channels or accounts").fill(`${far.host}\nlocalhost:9000`)
          await page.getByRole("dialog").getByRole("button", { name: "Follow", exact: true }).click()
        })
        yield* waitFor(page, `document.querySelector("dialog .f-error")?.textContent.startsWith("localhost:9000: ")`)
        yield* step("a host and a handle", async () => {
          await page.getByLabel("Instances, channels or accounts").fill(`${far.host}\n@ann_channel@${far.host}`)
          await page.getByRole("dialog").getByRole("button", { name: "Follow", exact: true }).click()
        })
        // They are looked up in the background, and appear by themselves.
        yield* waitFor(page, `${rows}.length === 2 && ${rowSays(`ann_channel@${far.host}`, "Waiting")}`)
        const [follow] = yield* sql<{ url: string; target: number }>`
          select f.url, f.target_actor_id as target from actor_follow f join actor a on a.id = f.target_actor_id
          where a.url = ${instance}`
        assert.isTrue(yield* (yield* Follows).accepted({ id: follow!.target }, follow!.url))
        yield* sql`
          insert into delivery_host (host, failures, failing_since, rest_until, last_error)
          values (${far.host}, 3, now() - interval '2 hours', now() + interval '1 hour', 'The inbox answered 502.')`
        yield* waitFor(page, `${rowSays("Accepted", "Does not answer")}`)
        assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
        yield* takePictures(page, "follows-following")

        const isAllowed = `document.querySelector("[role=switch]").checked`
        const allowed = sql<{ allowed: boolean }>`
          select redundancy_allowed as allowed from server where host = ${far.host}`
        const mirrors = page.getByRole("switch", { name: `Videos of ${far.host} may be mirrored` }).first()
        yield* step("allow mirrors", () => mirrors.click())
        yield* waitFor(
          page,
          `${isAllowed} && [...document.querySelectorAll("[role=switch]")].every((it) => it.checked)`
        )
        assert.deepStrictEqual(yield* allowed, [{ allowed: true }])
        yield* step("think better of it, and of that", async () => {
          await mirrors.click()
          await page.getByRole("button", { name: "Cancel" }).click()
        })
        assert.isTrue(yield* step("it stays", () => page.evaluate<boolean>(isAllowed)))
        yield* step("forbid them", async () => {
          await mirrors.click()
          await page.getByRole("button", { name: "Mirror no longer" }).click()
        })
        yield* waitFor(page, `!${isAllowed}`)
        assert.deepStrictEqual(yield* allowed, [{ allowed: false }])

        yield* step("by kind", () => page.getByLabel("Kind").selectOption("Group"))
        yield* waitFor(page, `${rows}.length === 1 && location.search.includes("kind=Group")`)
        yield* step("unfollow the channel", async () => {
          await page.getByRole("button", { name: `Unfollow ann_channel@${far.host}` }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Unfollow" }).click()
        })
        yield* waitFor(page, says("Nothing found"))
        yield* step("all", () => page.getByLabel("Kind").selectOption(""))
        yield* waitFor(page, `${rows}.length === 1`)
        yield* step("unfollow all that are selected", async () => {
          await page.getByLabel("Select all on this page").check()
          await page.locator(".bulk").getByRole("button", { name: "Unfollow" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Unfollow" }).click()
        })
        yield* waitFor(page, says("Nobody is followed"))
        assert.strictEqual((yield* send("/api/v1/server/following")).json.total, 0)
        assert.deepStrictEqual(
          problems.filter((it) => !it.includes("400 (Bad Request)")),
          []
        )
      }).pipe(Effect.scoped),
    minutes
  )

  it.effect(
    "lets followers in, rejects and removes them",
    () =>
      Effect.gen(function* () {
        const follows = yield* Follows
        const ours = yield* actorId("peertube")
        for (const host of ["one.example", "two.example", "three.example"]) {
          const id = yield* farActor("peertube", { type: "Application", host })
          yield* follows.received({ id: `https://${host}/f` }, { id }, ours)
        }
        const { page, problems } = yield* openAs("root", "/admin/follows?tab=followers")
        yield* waitFor(page, `${rows}.length === 3 && ${rows}.every((it) => it.textContent.includes("Waiting"))`)
        const choose = (host: string, name: string) =>
          step(`${name} ${host}`, async () => {
            await page.getByRole("button", { name: `Actions for ${host}` }).click()
            await page.getByRole("menuitem", { name }).click()
          })
        yield* choose("one.example", "Accept")
        yield* waitFor(page, rowSays("one.example", "Accepted"))
        yield* choose("two.example", "Reject")
        yield* step("yes", () => page.getByRole("dialog").getByRole("button", { name: "Reject" }).click())
        yield* waitFor(page, `${rows}.length === 2`)
        assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
        yield* takePictures(page, "follows-followers")
        yield* step("search", () => page.getByRole("searchbox", { name: "Search in the followers" }).fill("three"))
        yield* waitFor(page, `${rows}.length === 1 && ${rowSays("three.example")}`)
        yield* step("accept all that are selected", async () => {
          await page.getByLabel("Select three.example").check()
          await page.locator(".bulk").getByRole("button", { name: "Accept" }).click()
        })
        yield* waitFor(page, rowSays("three.example", "Accepted"))
        yield* choose("three.example", "Remove")
        yield* step("yes", () => page.getByRole("dialog").getByRole("button", { name: "Remove" }).click())
        yield* waitFor(page, says("Nothing found"))
        const { data } = (yield* send("/api/v1/server/followers")).json
        assert.deepStrictEqual(
          data.map((it: { follower: { host: string }; state: string }) => [it.follower.host, it.state]),
          [["one.example", "accepted"]]
        )
        assert.deepStrictEqual(problems, [])
      }),
    minutes
  )

  it.effect(
    "says why a host has not received something, and has it tried again",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        for (const table of ["actor_follow", "delivery", "delivery_host"]) yield* sql.unsafe(`delete from ${table}`)
        yield* sql`
          insert into delivery_host (host, failures, failing_since, rest_until, last_error, last_status, last_success_at)
          select 'h' || n || '.example', 0, null, null, null, 204, now() from generate_series(1, 31) n
          union all values ('<b>.example', 3, now() - interval '8 days', now() + interval '5 hours',
            'https://x/inbox: TimedOut {"phase":"whole"}', null, now() - interval '9 days'),
            ('failing.example', 12, now() - interval '2 hours', now() + interval '1 hour',
            'https://failing.example/inbox: Unreachable {"code":"ECONNREFUSED"}', null, null),
            ('resting.example', 0, null, now() + interval '1 hour', 'The inbox answered 429.', 429, now())`
        yield* sql`
          with told as (
            insert into activity (uri, actor_id, type, body)
            select 'http://localhost:9000/n/' || n, ${yield* actorId("root_channel")}::integer, 'Create', '{}'
            from generate_series(1, 3) n returning id
          )
          insert into delivery (activity_id, inbox_url, host, lane, attempts, next_attempt_at, last_error, created_at)
          select id, 'https://failing.example/inbox', 'failing.example', (1 + id % 2)::smallint, 1, now() + interval '1 hour',
            'The inbox answered 502.', now() - interval '3 hours' from told`
        // The address of the page that this one took the place of.
        const { page, problems } = yield* openAs("root", "/admin/federation/hosts")
        yield* waitFor(page, `location.pathname === "/admin/follows" && ${rows}.length > 5`)
        yield* waitFor(page, says("1–30 of 34"))
        const first = yield* step("read the first", () => page.locator("tr[data-row]").first().innerText())
        for (const told of [
          "failing.example",
          "Does not answer",
          "For 2 hours (12 failures in a row)",
          "Nothing listens there.",
          "Never"
        ]) {
          assert.include(first, told)
        }
        assert.match(first, /[12] posts?, changes? (and|or) deletions?, [12] ratings?|[12] post, change or deletion/)
        assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
        yield* takePictures(page, "follows-delivery")

        // With the keyboard alone: what waits, then trying it.
        const acts = page.getByRole("button", { name: "Actions for failing.example" })
        yield* step("open what waits", async () => {
          await acts.press("Enter")
          await page.getByRole("menuitem", { name: "What waits" }).press("Enter")
        })
        yield* waitFor(page, `document.querySelectorAll('.host-waiting li').length === 3`)
        assert.match(
          yield* step("read what waits", () => page.locator(".host-waiting").innerText()),
          /Create\s*since .*, tried once\s*next attempt .*\s*What stands before it does not reach it/
        )
        assert.deepStrictEqual(yield* step("ask axe of the dialog", () => accessible(page)), [])
        yield* takePictures(page, "follows-waiting")
        yield* step("close it", () => page.keyboard.press("Escape"))
        yield* step("try it", async () => {
          await acts.press("Enter")
          await page.getByRole("menuitem", { name: "Try again now" }).press("Enter")
        })
        yield* waitFor(page, `document.body.textContent.includes("failing.example is being tried.")`)
        const [rest] = yield* sql<{ rests: boolean }>`
          select coalesce(rest_until > now(), false) as rests from delivery_host where host = 'failing.example'`
        assert.isFalse(rest!.rests)
        yield* waitFor(page, `${rows}[0].querySelector('[data-label="Next attempt"]').textContent === "Now"`)

        yield* step("the next page", () => page.getByRole("button", { name: "Next page" }).click())
        yield* waitFor(page, `${rows}.length === 4`)
        yield* step("filter", () => page.getByLabel("State").selectOption("unavailable"))
        yield* waitFor(page, `${rows}.length === 1 && location.search === '?tab=delivery&state=unavailable'`)
        assert.match(
          yield* step("read it", () => page.locator("tr[data-row]").innerText()),
          /<b>\.example[^]*It did not answer in time\.[^]*tried once a day[^]*Unavailable/
        )
        yield* visit(page, `${yield* baseUrl}/admin/federation/hosts?search=REST&sort=host`)
        yield* waitFor(page, `${rows}.length === 1 && ${rowSays("resting.example", "Asked to wait")}`)
        assert.deepStrictEqual(problems, [])
      }),
    minutes
  )

  it.effect(
    "is for who may change follows",
    () =>
      Effect.gen(function* () {
        yield* addUser("mod", 1)
        const { page } = yield* openAs("mod", "/admin/federation")
        yield* waitFor(page, `location.pathname === "/admin/follows" && ${says("This page is not for you")}`)
        assert.isFalse(
          yield* step("no entry", () =>
            page.evaluate<boolean>(`document.querySelector('a[href="/admin/follows"]') !== null`)
          )
        )
      }),
    minutes
  )
})
