import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { send } from "../instance/about/Client.ts"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { accountNode } from "./support/AccountNode.ts"
import { heading, minutes, openAs, says, takePictures } from "./support/Admins.ts"
import { accessible } from "./support/WorkingAreas.ts"

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "120 seconds" })(
  "page of the configuration",
  (it) => {
    it.effect(
      "finds settings, explains them, saves them and says what is wrong beside them",
      () =>
        Effect.gen(function* () {
          const { page, problems } = yield* openAs("root", "/admin/config?search=instance.name")
          yield* waitFor(page, `${heading} === "Configuration" && document.querySelectorAll(".setting").length > 0`)
          yield* step("empty the name", () => page.getByLabel("instance.name", { exact: true }).fill(""))
          yield* waitFor(page, `${says("Not saved")} && ${says("1 change is not saved")}`)
          yield* step("save", () => page.getByRole("button", { name: "Save" }).click())
          yield* waitFor(page, "(document.querySelector('.setting .f-error')?.textContent ?? '') !== ''")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("name it", async () => {
            await page.getByLabel("instance.name", { exact: true }).fill("Ours")
            await page.getByRole("button", { name: "Save" }).click()
          })
          yield* waitFor(page, `${says("1 setting is saved.")} && ${says("Set here")}`)
          assert.strictEqual((yield* send("/api/v1/config")).json.instance.name, "Ours")
          yield* step("look for all of transcoding", () =>
            page.getByRole("searchbox", { name: "Search in the settings" }).fill("transcoding")
          )
          yield* waitFor(page, `${says("transcoding.threads")} && !${says("instance.name")}`)
          yield* step("switch one", () =>
            page.getByRole("switch", { name: "transcoding.resolutions.144p", exact: true }).click()
          )
          yield* waitFor(page, says("1 change is not saved"))
          yield* takePictures(page, "config")
          yield* step("discard", () => page.getByRole("button", { name: "Discard" }).click())
          yield* waitFor(page, `!${says("Not saved")}`)
          assert.isEmpty(problems.filter((it) => !it.includes("status of 400")))
        }),
      minutes
    )
  }
)
