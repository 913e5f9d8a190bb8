import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { WebhookTasks } from "../../src/instance/webhook/WebhookTasks.ts"
import { isSigned, receiver } from "../instance/webhook/Receiver.ts"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { accountNode } from "./support/AccountNode.ts"
import { addUser, heading, minutes, openAs, says, takePictures } from "./support/Admins.ts"
import { accessible } from "./support/WorkingAreas.ts"

const rows = "[...document.querySelectorAll('tr[data-row]')]"

const node = WebhookTasks.pipe(Layer.provideMerge(accountNode({ webhooks: { allow_private_addresses: true } })))

layer(node.pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "120 seconds" })(
  "the pages of webhooks",
  (it) => {
    it.effect(
      "add a webhook, try it, and show what it was sent",
      () =>
        Effect.gen(function* () {
          const receives = yield* receiver
          const { page, problems } = yield* openAs("root", "/admin/webhooks")
          yield* waitFor(page, `${heading} === "Webhooks" && ${says("No webhooks")}`)
          const dialog = page.getByRole("dialog")
          yield* step("add without an address", async () => {
            await page.getByRole("button", { name: "Add a webhook" }).click()
            await dialog.getByRole("button", { name: "Add" }).click()
          })
          yield* waitFor(page, `document.querySelector("dialog .f-error:not(:empty)") !== null`)
          yield* step("add one that is refused", async () => {
            await dialog.getByLabel("Address").fill("http://203.0.113.7/hook")
            await dialog.getByRole("button", { name: "Add" }).click()
          })
          yield* waitFor(page, `document.querySelector("dialog .f-error")?.textContent.includes("Is refused")`)
          yield* takePictures(page, "webhooks-dialog")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("add it", async () => {
            await dialog.getByLabel("Address").fill(receives.url)
            await dialog.getByLabel("Description").fill("Notifies the choir")
            await dialog.getByLabel("A user is created").check()
            await dialog.getByRole("button", { name: "Add" }).click()
          })
          yield* waitFor(page, `document.querySelector("dialog .webhook-secret")?.textContent.startsWith("whsec_")`)
          const secret = (yield* step("read the secret", () => page.locator(".webhook-secret").innerText())).trim()
          yield* step("keep it", () => dialog.getByRole("button", { name: "I have kept it" }).click())
          yield* waitFor(
            page,
            `${heading} === "Webhook" && ${says("Notifies the choir")} && ${says("Nothing was sent")}`
          )

          yield* step("try it", () => page.getByRole("button", { name: "Send a test" }).click())
          const [ping] = yield* receives.messages("ping")
          assert.isTrue(isSigned(ping!, secret))
          yield* waitFor(page, `${rows}.length === 1 && ${rows}[0].textContent.includes("Delivered")`)
          receives.answers((response) => void response.writeHead(500).end("The choir is out"))
          yield* addUser("singer")
          yield* receives.messages("user.created")
          yield* waitFor(page, `${rows}.length === 2 && ${rows}[0].textContent.includes("answered 500")`)
          yield* waitFor(page, says("Nothing was delivered since"))
          yield* step("look at it", () =>
            page
              .getByRole("button", { name: /Details of delivery/ })
              .first()
              .click()
          )
          yield* waitFor(page, `document.querySelector("dialog")?.textContent.includes("The choir is out")`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("close it", () => dialog.getByRole("button", { name: "Close" }).click())
          yield* takePictures(page, "webhooks-one")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])

          const more = (name: string) =>
            step(name, async () => {
              await page.getByRole("button", { name: "More actions" }).click()
              await page.getByRole("menuitem", { name }).click()
            })
          yield* more("Deactivate")
          yield* waitFor(page, `${says("Activate")} && ${rows}[0].textContent.includes("Failed")`)
          yield* step("activate it", () => page.getByRole("button", { name: "Activate" }).click())
          receives.answers((response) => void response.writeHead(200).end())
          yield* more("Send what failed again")
          yield* receives.messages("user.created", 2)
          yield* waitFor(page, `${rows}.every((row) => row.textContent.includes("Delivered"))`)
          yield* more("New secret")
          yield* step("a new secret", () => dialog.getByRole("button", { name: "New secret" }).click())
          yield* waitFor(page, `document.querySelector("dialog .webhook-secret") !== null`)
          yield* step("keep it", () => dialog.getByRole("button", { name: "I have kept it" }).click())

          yield* step("back", () => page.getByRole("link", { name: "Webhooks" }).click())
          yield* waitFor(page, `${rows}.length === 1 && ${rows}[0].textContent.includes("Active")`)
          yield* takePictures(page, "webhooks")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          const sql = yield* SqlClient
          yield* sql`update webhook set active = false, disabled_reason = 2`
          yield* step("to the overview", () => page.getByRole("link", { name: "Overview" }).click())
          yield* waitFor(page, `${heading} === "Overview" && ${says("1webhook failed and is inactive")}`)
          yield* step("back", () => page.getByRole("link", { name: "webhook failed" }).click())
          yield* waitFor(page, `${heading} === "Webhooks" && ${says("Inactive: it failed for days")}`)
          yield* step("open it", () => page.locator("tr[data-row] a").click())
          yield* waitFor(page, `${heading} === "Webhook"`)
          yield* more("Delete")
          yield* step("delete it", () => dialog.getByRole("button", { name: "Delete" }).click())
          yield* waitFor(page, `${heading} === "Webhooks" && ${says("No webhooks")}`)
          // The browser notes the refusal of the first address.
          assert.deepStrictEqual(
            problems.filter((it) => !it.includes("400 (Bad Request)")),
            []
          )
        }).pipe(Effect.scoped),
      minutes
    )
  }
)
