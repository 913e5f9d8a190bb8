import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { openAsBlob } from "node:fs"
import * as OTPAuth from "otpauth"
import { Browser, newPage, step, visit, waitFor } from "../support/Browser.ts"
import { instanceFiles } from "../support/InstanceFiles.ts"
import { rootPassword, until } from "../support/KinoraProcess.ts"
import { ask, linkTo, loginSays, logIn, MailedProgram, meWith, want } from "../support/MailedProgram.ts"
import { MailServer } from "../support/MailServer.ts"
import { bigBuckBunny, type CreatedVideo, untilReady } from "../support/Uploads.ts"
import { clip, plainClip } from "../video/upload/Clips.ts"

const world = MailedProgram.layer({
  KINORA_LOG_LEVEL: "debug",
  KINORA_SIGNUP_ENABLED: "true",
  KINORA_SIGNUP_REQUIRES_APPROVAL: "true",
  KINORA_SIGNUP_REQUIRES_EMAIL_VERIFICATION: "true",
  KINORA_TRANSCODING_RESOLUTIONS_1080P: "false",
  KINORA_TRANSCODING_RESOLUTIONS_720P: "false"
}).pipe(Layer.provideMerge(Browser.layer))

/** Two people; what they know of themselves grows with the journey. */
const ada = { name: "ada", email: "ada@example.com", password: "a good password", id: 0, token: "" }
const bea = { name: "beatrix", email: "beatrix@example.com", password: "another good one", id: 0, token: "" }
let moderator = ""
let video: CreatedVideo

const telephone = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"

const outcome = "document.querySelector('.outcome')?.textContent ?? ''"
const formIsReady = "document.querySelector('form button')?.disabled === false"

/** A one-time code of the time step so many half minutes away from the present one. */
const code = (authenticator: OTPAuth.TOTP | OTPAuth.HOTP, steps: number) =>
  Effect.map(Clock.currentTimeMillis, (now) =>
    (authenticator as OTPAuth.TOTP).generate({ timestamp: now + steps * 30_000 })
  )

/** Waits until the present time step has a while to go, so that a code is not overtaken by the next. */
const early = Effect.gen(function* () {
  const left = 30 - (((yield* Clock.currentTimeMillis) / 1000) % 30)
  if (left < 8) yield* Effect.sleep(`${left * 1000 + 50} millis`)
})

const upload = Effect.fn("upload")(function* (token: string, channelId: number, name: string) {
  const body = new FormData()
  for (const [key, value] of Object.entries({ channelId: String(channelId), name, privacy: "1" })) body.set(key, value)
  body.set("videofile", yield* Effect.promise(() => openAsBlob(plainClip(), { type: "video/mp4" })), "clip.mp4")
  return (yield* want(200, "POST", "/videos/upload", { token, body })).json.video as CreatedVideo
})

/** Files of the instance whose path holds a text. */
const filesWith = Effect.fn("filesWith")(function* (text: string) {
  const { dataDir } = yield* MailedProgram
  return instanceFiles(dataDir).filter((name) => name.includes(text))
})

/** Every row of the database that holds one of these texts, by table. */
const rowsWith = Effect.fn("rowsWith")(function* (texts: ReadonlyArray<string>) {
  const sql = yield* SqlClient
  const tables = yield* sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`
  const found = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql(name)} t
        where to_jsonb(t)::text like any (${texts.map((text) => `%${text}%`)})`,
      (rows) => rows.map(({ row }) => `${name}: ${row}`)
    )
  )
  return found.flat()
})

layer(world, { excludeTestServices: true, timeout: "120 seconds" })("from registering to leaving", (it) => {
  it.effect("asks for an account, verifies the address, is let in by a moderator", () =>
    Effect.gen(function* () {
      const { url } = yield* MailedProgram
      const server = yield* MailServer
      moderator = yield* logIn("root", rootPassword)
      const { page, problems } = yield* newPage()
      yield* visit(page, `${url}/signup`)
      yield* waitFor(page, formIsReady)
      yield* step("ask for an account", async () => {
        await page.getByLabel("User name").fill(ada.name)
        await page.getByLabel("E-mail address").fill(ada.email)
        await page.getByLabel("Password").fill(ada.password)
        await page.getByLabel("The same again").fill(ada.password)
        await page.getByLabel("Why do you want to join?").fill("I make films about machines.")
        for (const box of await page.getByRole("checkbox").all()) await box.check()
        await page.getByRole("button", { name: "Ask for an account" }).click()
      })
      yield* waitFor(page, `(${outcome}).startsWith('Thank you')`)
      assert.strictEqual(yield* loginSays(ada.name, ada.password), "400 email_not_verified")
      assert.strictEqual(yield* loginSays(ada.name, "a wrong password"), "400 invalid_grant")
      const told = yield* server.waitFor(({ subject }) => subject.includes("ada asks for an account"))
      assert.include(told.text, "I make films about machines.")

      yield* visit(page, (yield* linkTo(ada.email, "Verify your e-mail address")).href)
      yield* waitFor(page, formIsReady)
      yield* step("press the button", () => page.getByRole("button", { name: "Yes, it is mine" }).click())
      yield* waitFor(page, `(${outcome}).startsWith('The address is verified')`)
      assert.deepStrictEqual(problems, [])
      assert.strictEqual(yield* loginSays(ada.name, ada.password), "400 account_waiting_for_approval")
      assert.strictEqual(yield* loginSays(ada.name, "a wrong password"), "400 invalid_grant")

      const { json } = yield* want(200, "GET", "/users/registrations?stateOneOf=1", { token: moderator })
      assert.strictEqual(json.total, 1)
      assert.deepInclude(json.data[0], { username: ada.name, email: ada.email, emailVerified: true })
      const body = { moderationResponse: "Welcome, we like films." }
      yield* want(204, "POST", `/users/registrations/${json.data[0].id}/accept`, { token: moderator, body })
      const accepted = yield* server.waitFor(
        ({ subject, to }) => to.includes(ada.email) && subject.includes("Your registration was accepted")
      )
      assert.include(accepted.text, "Welcome, we like films.")
      ada.token = yield* logIn(ada.name, ada.password)
      const me = (yield* want(200, "GET", "/users/me", { token: ada.token })).json
      assert.deepInclude(me, { username: ada.name, emailVerified: true, blocked: false })
      ada.id = me.id
    })
  )

  it.effect("another one is accepted first and verifies the address later, past the page", () =>
    Effect.gen(function* () {
      const { email, name: username, password } = bea
      const asked = { username, email, password, registrationReason: "Ada told me." }
      const { id } = (yield* want(200, "POST", "/users/registrations/request", { body: asked })).json
      const body = { moderationResponse: "Welcome." }
      yield* want(204, "POST", `/users/registrations/${id}/accept`, { token: moderator, body })
      assert.strictEqual(yield* loginSays(username, password), "400 email_not_verified")
      const server = yield* MailServer
      const accepted = yield* server.waitFor(
        ({ text, to }) => to.includes(email) && text.includes("?userId="),
        "a link for the new user"
      )
      const query = new URL(/https?:\/\/\S+\?\S+/.exec(accepted.text)![0]).searchParams
      const path = `/users/${query.get("userId")}/verify-email`
      const verify = { verificationString: query.get("verificationString") }
      yield* want(403, "POST", path, { body: { verificationString: "0".repeat(43) } })
      yield* want(204, "POST", path, { body: verify })
      yield* want(403, "POST", path, { body: verify })
      bea.token = yield* logIn(username, password)
      bea.id = Number(query.get("userId"))
    })
  )

  it.effect("switches two factors on and logs in with a code of a real authenticator", () =>
    Effect.gen(function* () {
      const path = `/users/${ada.id}/two-factor`
      const other = yield* logIn(ada.name, ada.password)
      yield* want(403, "POST", `${path}/request`, { token: ada.token, body: { currentPassword: "wrong" } })
      const current = { token: ada.token, body: { currentPassword: ada.password } }
      const [{ otpRequest }] = (yield* want(200, "POST", `${path}/request`, current)).json
      const authenticator = OTPAuth.URI.parse(otpRequest.uri)
      const { requestToken } = otpRequest
      yield* early
      const first = { requestToken, otpToken: yield* code(authenticator, -1) }
      yield* want(204, "POST", `${path}/confirm-request`, { token: ada.token, body: first })
      assert.strictEqual(yield* meWith(other), 401, "a session that began without the second factor ends")
      assert.strictEqual(yield* meWith(ada.token), 200)

      const says = (given?: string) => loginSays(ada.name, ada.password, given === undefined ? {} : { code: given })
      assert.strictEqual(yield* says(), "401 missing_two_factor")
      assert.strictEqual(yield* loginSays(ada.name, "a wrong password"), "400 invalid_grant")
      const near = yield* Effect.forEach([-1, 0, 1, 2], (steps) => code(authenticator, steps))
      const wrong = ["000000", "111111", "222222", "333333", "444444"].find((it) => !near.includes(it))
      assert.strictEqual(yield* says(wrong), "400 invalid_two_factor")
      assert.strictEqual(yield* says(first.otpToken), "400 invalid_two_factor", "the code that switched it on")
      const right = yield* code(authenticator, 0)
      assert.strictEqual(yield* says(right), "200")
      assert.strictEqual(yield* says(right), "400 invalid_two_factor", "the same code again")
      assert.strictEqual(yield* says(yield* code(authenticator, 1)), "200")
      yield* want(204, "POST", `${path}/disable`, current)
      assert.strictEqual(yield* says(), "200")
    })
  )

  it.effect("sees the session on another device and ends it", () =>
    Effect.gen(function* () {
      const phone = yield* logIn(ada.name, ada.password, { agent: telephone })
      const sessions = `/users/${ada.id}/token-sessions`
      const list = Effect.map(
        want(200, "GET", `${sessions}?count=100`, { token: ada.token }),
        ({ json }) => json.data as ReadonlyArray<{ id: number; loginDevice: string; currentSession: boolean }>
      )
      const before = yield* list
      const [lost] = before.filter(({ loginDevice }) => loginDevice === "Firefox on Android")
      assert.isFalse(lost!.currentSession)
      assert.strictEqual(before.filter(({ currentSession }) => currentSession).length, 1)
      yield* want(200, "GET", "/users/me", { token: phone })
      yield* want(403, "POST", `${sessions}/${lost!.id}/revoke`, { token: bea.token })
      yield* want(200, "POST", `${sessions}/${lost!.id}/revoke`, { token: ada.token })
      assert.strictEqual(yield* meWith(phone), 401)
      assert.strictEqual(yield* meWith(ada.token), 200)
      assert.strictEqual((yield* list).length, before.length - 1)
    })
  )

  it.effect("is blocked, which only the right password is told, and let in again", () =>
    Effect.gen(function* () {
      const tokens = [ada.token, yield* logIn(ada.name, ada.password)]
      assert.deepStrictEqual(yield* Effect.forEach(tokens, meWith), [200, 200])
      yield* want(403, "POST", `/users/${ada.id}/block`, { token: bea.token, body: {} })
      yield* want(204, "POST", `/users/${ada.id}/block`, { token: moderator, body: { reason: "Too many trains" } })
      assert.deepStrictEqual(yield* Effect.forEach(tokens, meWith), [401, 401])
      assert.strictEqual(yield* loginSays(ada.name, ada.password), "400 account_blocked")
      assert.strictEqual(yield* loginSays(ada.name, "a wrong password"), "400 invalid_grant")
      const server = yield* MailServer
      const told = yield* server.waitFor(({ subject }) => subject.includes("Your account was blocked"))
      assert.include(told.text, "Too many trains")
      yield* want(204, "POST", `/users/${ada.id}/unblock`, { token: moderator })
      assert.deepStrictEqual(yield* Effect.forEach(tokens, meWith), [401, 401])
      ada.token = yield* logIn(ada.name, ada.password)
    })
  )

  it.effect("has forgotten the password and sets another one", () =>
    Effect.gen(function* () {
      const { url } = yield* MailedProgram
      const tokens = [ada.token, yield* logIn(ada.name, ada.password)]
      const { page, problems } = yield* newPage()
      yield* visit(page, `${url}/reset-password`)
      yield* waitFor(page, formIsReady)
      yield* step("ask for a link", async () => {
        await page.getByLabel("E-mail address").fill(ada.email)
        await page.keyboard.press("Enter")
      })
      yield* waitFor(page, `(${outcome}).includes('a mail is on its way')`)
      const link = yield* linkTo(ada.email, "Set a new password")
      const old = ada.password
      ada.password = "a better password"
      yield* visit(page, link.href)
      yield* waitFor(page, formIsReady)
      yield* step("set it", async () => {
        await page.getByLabel("New password").fill(ada.password)
        await page.getByLabel("The same again").fill(ada.password)
        await page.keyboard.press("Enter")
      })
      yield* waitFor(page, `(${outcome}).includes('The new password is set')`)
      assert.deepStrictEqual(problems, [])
      assert.deepStrictEqual(yield* Effect.forEach(tokens, meWith), [401, 401])
      assert.strictEqual(yield* loginSays(ada.name, old), "400 invalid_grant")
      const verificationString = link.searchParams.get("verificationString")
      const again = { verificationString, password: "yet another one" }
      yield* want(403, "POST", `/users/${ada.id}/reset-password`, { body: again })
      ada.token = yield* logIn(ada.name, ada.password)
    })
  )

  it.effect("makes a channel with a picture, and a collaborator uploads to it", () =>
    Effect.gen(function* () {
      const { token } = ada
      const made = { name: "engines", displayName: "Engines" }
      const { videoChannel } = (yield* want(200, "POST", "/video-channels", { token, body: made })).json
      const picture = new FormData()
      const frame = clip("frame.jpg", ["-ss", "5", "-i", bigBuckBunny, "-frames:v", "1"])
      picture.set("avatarfile", yield* Effect.promise(() => openAsBlob(frame, { type: "image/jpeg" })), "bunny.jpg")
      yield* want(200, "POST", "/video-channels/engines/avatar/pick", { token, body: picture })
      const { avatars } = (yield* want(200, "GET", "/video-channels/engines")).json
      assert.isAbove(avatars.length, 1)
      for (const { fileUrl } of avatars) {
        const { headers } = yield* want(200, "GET", fileUrl)
        assert.match(headers.get("content-type") ?? "", /^image\//)
      }

      const crew = "/video-channels/engines/collaborators"
      const invited = yield* want(200, "POST", `${crew}/invite`, { token, body: { accountHandle: bea.name } })
      const { id } = invited.json.collaborator
      const early = new FormData()
      early.set("channelId", String(videoChannel.id))
      early.set("name", "Too early")
      early.set("videofile", yield* Effect.promise(() => openAsBlob(plainClip())), "clip.mp4")
      assert.include([400, 403], (yield* ask("POST", "/videos/upload", { token: bea.token, body: early })).status)
      yield* want(204, "POST", `${crew}/${id}/accept`, { token: bea.token })
      video = yield* upload(bea.token, videoChannel.id, "A steam engine")
      const node = yield* MailedProgram
      const ready = yield* Effect.promise(() => untilReady(node, video.uuid, 1, 60))
      const { json } = yield* want(200, "GET", "/video-channels/engines/videos")
      assert.deepStrictEqual([json.total, json.data[0].uuid, json.data[0].account.name], [1, video.uuid, "ada"])
      yield* want(200, "GET", ready.streamingPlaylists[0]!.files[0]!.fileUrl)
    })
  )

  it.effect("gives the channel to the other, who accepts", () =>
    Effect.gen(function* () {
      const give = { token: ada.token, body: { username: bea.name } }
      yield* want(204, "POST", "/video-channels/engines/give-ownership", give)
      const { json } = yield* want(200, "GET", "/video-channels/ownership", { token: bea.token })
      assert.deepStrictEqual([json.total, json.data[0].videoChannel.name], [1, "engines"])
      yield* want(204, "POST", `/video-channels/ownership/${json.data[0].id}/accept`, { token: bea.token })
      const channel = (yield* want(200, "GET", "/video-channels/engines")).json
      assert.strictEqual(channel.ownerAccount.name, bea.name)
      assert.strictEqual((yield* want(200, "GET", `/videos/${video.uuid}`)).json.account.name, bea.name)
      const mine = { token: ada.token, body: { displayName: "Still mine" } }
      yield* want(403, "PUT", "/video-channels/engines", mine)
    })
  )

  it.effect("leaves, and nothing of theirs stays", () =>
    Effect.gen(function* () {
      const { avatars } = (yield* want(200, "GET", "/video-channels/engines")).json
      const pictures = (avatars as ReadonlyArray<{ path: string }>).map(({ path }) => path.split("/").pop()!)
      const texts = [bea.name, bea.email, "engines", "A steam engine", video.uuid, ...pictures]
      const files = Effect.map(Effect.forEach([video.uuid, ...pictures], filesWith), (found) => found.flat())
      assert.isAbove((yield* files).length, pictures.length)
      yield* want(200, "GET", "/accounts/beatrix")
      yield* want(204, "DELETE", "/users/me", { token: bea.token })
      assert.strictEqual(yield* meWith(bea.token), 401)
      assert.strictEqual(yield* loginSays(bea.name, bea.password), "400 invalid_grant")
      for (const path of ["/accounts/beatrix", "/video-channels/engines", `/videos/${video.uuid}`]) {
        yield* want(404, "GET", path)
      }
      assert.strictEqual((yield* want(200, "GET", "/users/registrations", { token: moderator })).json.total, 1)
      const left = Effect.all([files, rowsWith(texts)])
      const context = yield* Effect.context<MailedProgram | SqlClient>()
      const run = Effect.runPromiseWith(context)
      const gone = () => run(Effect.map(left, (found) => (found.flat().length === 0 ? true : undefined)))
      yield* Effect.promise(() =>
        until("everything to go", 60, gone).catch(async () => assert.deepStrictEqual(await run(left), [[], []]))
      )
    }).pipe(Effect.provide(MailedProgram.database))
  )

  it.effect("has left no secret in the log, and nothing that frightens the operator", () =>
    Effect.gen(function* () {
      const { output } = yield* MailedProgram
      const server = yield* MailServer
      const links = server.received.flatMap(({ text }) => /verificationString=(\S+)/.exec(text)?.[1] ?? [])
      assert.isAbove(links.length, 3)
      assert.match(output, /POST \/api\/v1\/users\/token 200","level":"DEBUG"/)
      const secrets = [rootPassword, ada.password, bea.password, moderator, ada.token, bea.token, ...links]
      assert.deepStrictEqual(
        secrets.filter((secret) => output.includes(secret)),
        []
      )
      const alarms = output.split("\n").filter((line) => /"level":"(?:WARN|ERROR|FATAL)"|\\n\s+at /.test(line))
      assert.deepStrictEqual(alarms, [])
    })
  )

  it.effect("mails that wait when the node is killed go out once", () =>
    Effect.gen(function* () {
      const node = yield* MailedProgram
      const server = yield* MailServer
      const guests = Array.from({ length: 6 }, (_, i) => `guest${i}`)
      const addressOf = (name: string) => `${name}@example.com`
      // The server takes connections and then says nothing: two mails are on their way when the node dies.
      yield* server.refuse(() => "silence")
      for (const username of guests) {
        const body = { username, email: addressOf(username), password: "", role: 2 }
        yield* want(200, "POST", "/users", { token: moderator, body })
      }
      yield* Effect.promise(() =>
        until("mails on their way", 60, async () =>
          server.asked.filter((address) => address.startsWith("guest")).length >= 2 ? true : undefined
        )
      )
      yield* Effect.promise(() => node.stop("SIGKILL"))
      yield* server.stop
      yield* server.refuse(() => undefined)
      yield* Effect.promise(() => node.start())
      yield* server.start
      for (const name of guests) yield* linkTo(addressOf(name), "choose a password")
      const token = yield* logIn("root", rootPassword)
      const jobs = (state: string) =>
        Effect.map(want(200, "GET", `/jobs/${state}?jobType=email`, { token }), ({ json }) => json.total as number)
      const run = Effect.runPromiseWith(yield* Effect.context<MailedProgram>())
      const waiting = Effect.forEach(["active", "waiting", "delayed"], jobs)
      yield* Effect.promise(() =>
        until("no mail to wait", 60, async () =>
          (await run(waiting)).every((total) => total === 0) ? true : undefined
        )
      )
      const to = server.received.flatMap((mail) => mail.to).filter((address) => address.startsWith("guest"))
      assert.deepStrictEqual(to.toSorted(), guests.map(addressOf))
      assert.strictEqual(yield* jobs("failed"), 0)
    })
  )
})
