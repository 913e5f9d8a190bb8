import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { hashSync } from "bcryptjs"
import { SqlClient } from "effect/sql/SqlClient"
import { argon2Sync, scryptSync } from "node:crypto"
import { CurrentPassword } from "../../../src/people/session/CurrentPassword.ts"
import { isOutdated, parseHash } from "../../../src/people/session/PasswordHash.ts"
import { Passwords } from "../../../src/people/session/Passwords.ts"
import { Users } from "../../../src/people/user/Users.ts"
import { login, postForm, tokenForm } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { hashPasswordsAsEver } from "../../support/CheapPasswords.ts"

hashPasswordsAsEver()

const salt = Buffer.from("0123456789abcdef")

/** A hash as this program made them before it had argon2id. */
const scryptHash = (password: string, p = 1) => {
  const key = scryptSync(password, salt, 32, { N: 2 ** 15, r: 8, p, maxmem: 2 ** 26 })
  return `$scrypt$N=32768,r=8,p=${p}$${salt.toString("base64url")}$${key.toString("base64url")}`
}

layer(testNode(), { excludeTestServices: true })("passwords", (it) => {
  it.effect("are hashed with argon2id as others compute it, of at least 19 MiB and two passes", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const text = yield* passwords.hash("correct horse")
      const parsed = parseHash(text)!
      assert.deepStrictEqual(parsed.parameters, { algorithm: "argon2id", memory: 19_456, passes: 2, parallelism: 1 })
      const key = argon2Sync("argon2id", {
        message: "correct horse",
        nonce: parsed.salt,
        memory: 19_456,
        passes: 2,
        parallelism: 1,
        tagLength: 32
      })
      assert.deepStrictEqual(Buffer.from(parsed.key), key)
    })
  )

  it.effect("are the same password however the keyboard composes it, and another one else", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const hash = yield* passwords.hash("pass\u00e9wort")
      assert.isTrue(yield* passwords.verify("passe\u0301wort", hash))
      for (const other of ["passewort", "PASS\u00c9WORT", "pass\u00e9wort ", "", "p\u0430ss\u00e9wort"]) {
        assert.isFalse(yield* passwords.verify(other, hash), other)
      }
    })
  )

  it.effect("have no hash that anything but a hash can be taken for", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      for (const odd of ["", "x", "$argon2id$", "$scrypt$N=0,r=0,p=0$$", "$argon2id$v=19$m=99999999,t=1,p=1$aa$bb"]) {
        assert.isFalse(yield* passwords.verify("password1", odd), odd)
        assert.isFalse(isOutdated(odd), odd)
      }
    })
  )

  it.effect("are verified as they are hashed where there is no argon2, and replaced where there is", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const hash = scryptHash("password1", 3)
      assert.isTrue(yield* passwords.verify("password1", hash))
      assert.isFalse(yield* passwords.verify("password2", hash))
      assert.isTrue(isOutdated(hash))
      assert.isTrue(isOutdated((yield* passwords.hash("password1")).replace("t=2", "t=1")))
      assert.isFalse(isOutdated(yield* passwords.hash("password1")))
    })
  )

  it.effect("that were hashed with scrypt open the account still, and are hashed anew", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const sql = yield* SqlClient
      yield* users.create({ username: "old", email: "old@example.com", password: "password1", role: 2 })
      const stored = scryptHash("password1")
      yield* sql`update app_user set password_hash = ${stored} where username = 'old'`
      const form = yield* tokenForm({ grant_type: "password", username: "old", password: "password2" })
      assert.strictEqual((yield* postForm(form)).json.code, "invalid_grant")
      const kept = yield* sql<{ hash: string }>`select password_hash as hash from app_user where username = 'old'`
      assert.strictEqual(kept[0]!.hash, stored)
      yield* login("old", "password1")
      const now = yield* sql<{ hash: string }>`select password_hash as hash from app_user where username = 'old'`
      assert.match(now[0]!.hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
      yield* login("old", "password1")
    })
  )

  it.effect("are asked for once more by whoever changes something delicate", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const current = yield* CurrentPassword
      const { userId } = yield* users.create({
        username: "cur",
        email: "c@example.com",
        password: "password1",
        role: 2
      })
      assert.isTrue(yield* current.check(userId, "password1"))
      for (const wrong of [undefined, "", "password2", "PASSWORD1", "x".repeat(2_000)]) {
        assert.isFalse(yield* current.check(userId, wrong))
      }
      assert.isFalse(yield* current.check(999_999, "password1"))
    })
  )

  it.effect("wait in a line that ends, and are forgotten by whoever goes away", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const hash = yield* passwords.hash("password1")
      const many = yield* Effect.forEach(Array.from({ length: 100 }), () =>
        Effect.forkChild(passwords.verify("password1", hash))
      )
      yield* Effect.yieldNow
      const refused = yield* Effect.flip(passwords.verify("password1", hash))
      assert.deepInclude({ ...refused }, { _tag: "ServiceUnavailable", retryAfterSeconds: 5 })
      yield* Fiber.interruptAll(many)
      assert.isTrue(yield* passwords.verify("password1", hash))
    })
  )

  it.effect("of bcrypt are verified as another program made them, and replaced", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      // Test vectors of crypt_blowfish; the last two are of 72 bytes, which are all that counts.
      const long = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      const vectors = [
        ["U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
        ["U*U*", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK"],
        [long, "$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui"],
        [`${long}chars after 72 are ignored`, "$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui"]
      ] as const
      for (const [password, hash] of vectors) {
        for (const version of ["$2a$", "$2b$", "$2y$"]) {
          const stored = hash.replace("$2a$", version)
          assert.isTrue(yield* passwords.verify(password, stored), stored)
          assert.isFalse(yield* passwords.verify(`-${password}`, stored), stored)
          assert.isTrue(isOutdated(stored))
        }
      }
      const composed = hashSync("pass\u00e9wort", 4)
      assert.isTrue(yield* passwords.verify("pass\u00e9wort", composed))
      assert.isFalse(yield* passwords.verify("passe\u0301wort", composed))
    })
  )

  it.effect("of bcrypt that cost too much, or are none, verify nothing", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const hash = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
      for (const odd of [
        hash.replace("$05$", "$15$"),
        hash.replace("$05$", "$31$"),
        hash.replace("$05$", "$03$"),
        hash.replace("$2a$", "$2x$"),
        hash.slice(1),
        `${hash}A`,
        "!"
      ]) {
        assert.isUndefined(parseHash(odd), odd)
        assert.isFalse(yield* passwords.verify("U*U", odd), odd)
      }
    })
  )

  it.effect("are hashed beside everything else: the event loop goes on", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const hash = yield* passwords.hash("password1")
      let turns = 0
      const counting = yield* Effect.forkChild(
        Effect.forever(
          Effect.andThen(
            Effect.yieldNow,
            Effect.sync(() => turns++)
          )
        )
      )
      assert.isTrue(yield* passwords.verify("password1", hash))
      yield* Fiber.interrupt(counting)
      assert.isAbove(turns, 100)
    })
  )
})
