import { assert, describe, it } from "@effect/vitest"
import { filledMarkdown, filledText, unknownPlaceholder } from "../../../src/instance/mailing/MailingTemplate.ts"

const values = { username: "ada_l", instanceName: "Films <b>", instanceUrl: "https://films.example" }

describe("a template of a mail", () => {
  it("has its placeholders filled in, as text and as Markdown that shows the same", () => {
    const text = "Hi {{username}} of {{ instanceName }}: {{instanceUrl}} {{username"
    assert.strictEqual(filledText(text, values), "Hi ada_l of Films <b>: https://films.example {{username")
    assert.strictEqual(filledMarkdown(text, values), "Hi ada\\_l of Films \\<b\\>: https://films.example {{username")
  })

  it("names the first placeholder that nothing is known of", () => {
    assert.strictEqual(unknownPlaceholder("{{username}} {{password}} {{x}}"), "password")
    assert.strictEqual(unknownPlaceholder("{{username}} {x} {{ instanceUrl }}"), undefined)
    assert.strictEqual(unknownPlaceholder("{{constructor}}"), "constructor")
  })
})
