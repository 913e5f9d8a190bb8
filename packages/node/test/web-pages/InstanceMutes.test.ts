import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { accountNode } from "./support/AccountNode.ts"
import { addUser, heading, minutes, openAs, says } from "./support/Admins.ts"
import { accessible } from "./support/WorkingAreas.ts"

const first = "document.querySelector('.rows strong')?.textContent"

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "120 seconds" })(
  "what moderators mute for everybody",
  (it) => {
    it.effect(
      "is muted and muted no longer",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("mod", 1)
          yield* addUser("loud")
          const { page, problems } = yield* openAs("mod", "/admin/mutes")
          yield* waitFor(page, `${heading} === "Muted for everybody" && ${says("No account is muted for everybody.")}`)
          yield* step("mute an account", async () => {
            await page.getByLabel("Account").last().fill("loud")
            await page.getByRole("button", { name: "Mute", exact: true }).click()
          })
          yield* waitFor(page, `${first}?.startsWith("loud@")`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          const blocks = sql<{ instance: boolean }>`
            select account_id = (select o.id from account o where o.actor_id = instance_actor()) as instance from account_block`
          assert.deepStrictEqual(yield* blocks, [{ instance: true }])
          yield* step("no longer", () => page.getByRole("button", { name: /^Mute loud@.* no longer/ }).click())
          yield* waitFor(page, says("No account is muted for everybody."))
          assert.deepStrictEqual(yield* blocks, [])
          yield* step("mute a server", async () => {
            await page.getByRole("tab", { name: "Servers" }).click()
            await page.getByLabel("Server").last().fill("loud.example")
            await page.getByRole("button", { name: "Mute", exact: true }).click()
          })
          yield* waitFor(page, `${first} === "loud.example"`)
          assert.deepStrictEqual(problems, [])
        }),
      minutes
    )
  }
)
