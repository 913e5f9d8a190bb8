import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { KinoraConfig } from "../../src/platform/config/Config.ts"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { accountNode } from "./support/AccountNode.ts"
import { heading, minutes, openAs, says, takePictures } from "./support/Admins.ts"
import { accessible } from "./support/WorkingAreas.ts"

const lines = "document.querySelectorAll('.log li').length"
const follows = "document.querySelector('[role=switch]').checked"

const lineOf = (at: number, level: string, message: string, task?: string): string =>
  JSON.stringify({
    message,
    level,
    timestamp: new Date(Date.now() - 60_000 + at).toISOString(),
    annotations: task === undefined ? {} : { task },
    spans: {},
    fiberId: "#1"
  })

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "120 seconds" })(
  "pages of those who run an instance",
  (it) => {
    it.effect(
      "the first steps lead from a fresh start to a configured instance",
      () =>
        Effect.gen(function* () {
          const { page, problems } = yield* openAs("root", "/admin")
          yield* step("begin", () => page.getByRole("link", { name: "Begin" }).click())
          yield* waitFor(
            page,
            `${heading} === "First steps" && document.querySelector("form h2")?.textContent === "Name"`
          )
          yield* takePictures(page, "welcome")
          yield* step("refused without a name", async () => {
            await page.getByLabel("Name of the instance").fill("")
            await page.getByRole("button", { name: "Save and go on" }).click()
          })
          yield* waitFor(page, "document.querySelector('.f-error:not(:empty)') !== null")
          yield* step("name it", async () => {
            await page.getByLabel("Name of the instance").fill("Harbour films")
            await page.getByLabel("Short description").fill("Films of our harbour.")
            await page.getByRole("button", { name: "Save and go on" }).click()
          })
          yield* waitFor(page, "document.querySelector('form h2').textContent === 'Registration'")
          yield* step("by approval", async () => {
            await page.getByRole("combobox", { name: "Registration" }).selectOption("approval")
            await page.getByRole("button", { name: "Save and go on" }).click()
          })
          yield* waitFor(page, "document.querySelector('form h2').textContent === 'Mail'")
          yield* step("send a mail", () => page.getByRole("button", { name: "Send a test mail" }).click())
          yield* waitFor(page, says("The mail server took the mail."))
          yield* step("go on", () => page.getByRole("button", { name: "Go on" }).click())
          yield* waitFor(page, "document.querySelector('form h2').textContent === 'Federation'")
          yield* step("skip", () => page.getByRole("button", { name: "Skip" }).click())
          yield* waitFor(page, "document.querySelector('form h2').textContent === 'Transcoding'")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* takePictures(page, "welcome-transcoding")
          yield* step("end", () => page.getByRole("button", { name: "Save and go on" }).click())
          yield* waitFor(page, says("Your instance is ready"))
          yield* step("to the overview", () => page.getByRole("link", { name: "To the overview" }).click())
          yield* waitFor(page, `${heading} === "Overview" && !${says("still has the name")}`)
          const { instance, signup } = yield* step(
            "read",
            () =>
              page.evaluate(`fetch("/api/v1/config").then((it) => it.json())`) as Promise<{
                instance: { name: string }
                signup: { requiresApproval: boolean; allowed: boolean }
              }>
          )
          assert.strictEqual(instance.name, "Harbour films")
          assert.isTrue(signup.requiresApproval)
          // The browser notes the refusal of the empty name.
          assert.deepStrictEqual(
            problems.filter((it) => !it.includes("400 (Bad Request)")),
            []
          )
        }),
      minutes
    )

    it.effect(
      "logs are filtered, unfolded and followed until one scrolls away",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const fs = yield* FileSystem.FileSystem
          const { storage } = yield* KinoraConfig
          const file = `${storage.logs}/kinora.log`
          yield* fs.makeDirectory(storage.logs, { recursive: true })
          const many = Array.from({ length: 60 }, (_, at) => lineOf(at, "INFO", `Line ${at}`))
          yield* fs.writeFileString(
            file,
            [...many, lineOf(100, "WARN", "Slow disk", "views"), lineOf(101, "ERROR", "It broke"), ""].join("\n")
          )
          const { page, problems } = yield* openAs("root", "/admin/logs")
          yield* waitFor(page, `${heading} === "Logs" && ${lines} === 62`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* takePictures(page, "logs")
          yield* fs.writeFileString(file, `${lineOf(200, "INFO", "Just now")}\n`, { flag: "a" })
          yield* waitFor(page, says("Just now"))
          yield* step("scroll away", () => page.locator(".log").evaluate((it) => void (it.scrollTop = 0)))
          yield* waitFor(page, `!${follows}`)
          yield* step("warnings", () => page.getByLabel("From level").selectOption("warn"))
          yield* waitFor(page, `${lines} === 2`)
          yield* step("by tag", () => page.getByRole("searchbox", { name: "Tags" }).fill("views"))
          yield* waitFor(page, `${lines} === 1`)
          yield* step("unfold", () => page.locator(".log summary").click())
          yield* waitFor(page, "document.querySelector('.log pre')?.textContent.includes('Slow disk')")
          yield* step("search", () =>
            page.getByRole("searchbox", { name: "Search in the lines shown" }).fill("nowhere")
          )
          yield* waitFor(page, says("No line that is loaded has these words."))
          yield* sql`insert into audit_entry (domain, action, target) values ('videos', 'delete', '{"id": 7}')`
          yield* step("administration", () => page.getByRole("tab", { name: "Administration" }).click())
          yield* waitFor(page, says("The operator, in a shell: delete (videos)"))
          assert.deepStrictEqual(problems, [])
        }),
      minutes
    )
  }
)
