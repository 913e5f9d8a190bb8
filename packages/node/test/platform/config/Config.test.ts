import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Duration, Effect, FileSystem, Option, Path, Redacted } from "effect"
import { KinoraConfig } from "../../../src/platform/config/Config.ts"
import { configure } from "./Sources.ts"

it.layer(NodeServices.layer)("KinoraConfig", (it) => {
  it.effect("has our defaults when nothing is set", () =>
    Effect.gen(function* () {
      const { config, folder } = yield* configure({})
      assert.strictEqual(config.listen.port, 9000)
      assert.strictEqual(config.listen.hostname, "127.0.0.1")
      assert.strictEqual(config.instance.name, "Kinora")
      assert.strictEqual(config.rates_limit.api.max, 50)
      assert.deepStrictEqual(config.rates_limit.api.window, Duration.seconds(10))
      assert.deepStrictEqual(config.oauth2.token_lifetime.refresh_token, Duration.weeks(4))
      assert.isTrue(config.transcoding.resolutions["1080p"])
      assert.isFalse(config.transcoding.resolutions["1440p"])
      assert.isTrue(config.transcoding.web_videos.enabled && config.transcoding.hls.enabled)
      assert.isFalse(config.peertube.check_latest_version.enabled || config.plugins.index.enabled)
      assert.strictEqual(config.log.rotation.max_file_size, 12 * 1024 ** 2)
      assert.isTrue(Duration.equals(config.history.videos.max_age, Duration.infinity))
      assert.strictEqual(config.storage.web_videos, `${folder}/web-videos`)
      assert.strictEqual(config.derived.dataDir, folder)
      assert.strictEqual(config.derived.origin, "http://localhost:9000")
      assert.strictEqual(config.derived.host, "localhost:9000")
      assert.isTrue(Option.isNone(config.derived.databaseUrl) && Option.isNone(config.derived.redisUrl))
      assert.deepStrictEqual(config.derived.warnings, [])
    })
  )

  it.effect("lets the environment win over the file and the file over defaults", () =>
    Effect.gen(function* () {
      const { config } = yield* configure(
        { KINORA_RATES_LIMIT_API_MAX: "70", KINORA_TRANSCODING_RESOLUTIONS_240P: "off" },
        "rates_limit:\n  api:\n    max: 60\n    window: 3 seconds\n"
      )
      assert.strictEqual(config.rates_limit.api.max, 70)
      assert.deepStrictEqual(config.rates_limit.api.window, Duration.seconds(3))
      assert.strictEqual(config.rates_limit.login.max, 15)
      assert.isFalse(config.transcoding.resolutions["240p"])
    })
  )

  it.effect("finds the file in the data folder", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      yield* fs.writeFileString(`${folder}/kinora.yaml`, "instance: { name: Found }\n")
      const { config } = yield* configure({ KINORA_DATA_DIR: folder })
      assert.strictEqual(config.instance.name, "Found")
      const named = yield* configure({ KINORA_CONFIG: `${folder}/kinora.yaml` })
      assert.strictEqual(named.config.instance.name, "Found")
    })
  )

  it.effect("bases storage on the data folder unless a key is set", () =>
    Effect.gen(function* () {
      const path = yield* Path.Path
      const { config, folder } = yield* configure(
        { KINORA_STORAGE_LOGS: "/var/log/kinora" },
        "storage: { tmp: scratch }"
      )
      assert.strictEqual(config.storage.logs, "/var/log/kinora")
      assert.strictEqual(config.storage.tmp, path.join(folder, "scratch"))
      assert.strictEqual(config.storage.thumbnails, path.join(folder, "thumbnails"))
    })
  )

  it.effect("derives the public address", () =>
    Effect.gen(function* () {
      const port = yield* configure({ KINORA_LISTEN_PORT: "9001" })
      assert.strictEqual(port.config.derived.origin, "http://localhost:9001")
      const https = yield* configure({ KINORA_WEBSERVER_HTTPS: "true", KINORA_WEBSERVER_HOSTNAME: "video.example" })
      assert.strictEqual(https.config.derived.origin, "https://video.example")
      assert.strictEqual(https.config.derived.host, "video.example")
      const odd = yield* configure({ KINORA_WEBSERVER_HTTPS: "true", KINORA_WEBSERVER_PORT: "8443" })
      assert.strictEqual(odd.config.derived.origin, "https://localhost:8443")
    })
  )

  it.effect("lets DATABASE_URL win over database keys and hides secrets", () =>
    Effect.gen(function* () {
      const yaml = "database: { hostname: db.example, username: me, password: 's3cret/@', name: videos, ssl: true }"
      const keys = yield* configure({}, yaml)
      assert.strictEqual(
        Option.getOrThrow(Option.map(keys.config.derived.databaseUrl, Redacted.value)),
        "postgres://me:s3cret%2F%40@db.example:5432/videos?sslmode=require"
      )
      const short = yield* configure({ DATABASE_URL: "postgres://a:b@c/d", REDIS_URL: "redis://r" }, yaml)
      assert.strictEqual(
        Option.getOrThrow(Option.map(short.config.derived.databaseUrl, Redacted.value)),
        "postgres://a:b@c/d"
      )
      assert.strictEqual(Option.getOrThrow(Option.map(short.config.derived.redisUrl, Redacted.value)), "redis://r")
      const socket = yield* configure({}, "redis: { socket: /run/redis.sock, hostname: r, db: 2, auth: 's3cret&' }")
      assert.strictEqual(
        Option.getOrThrow(Option.map(socket.config.derived.redisUrl, Redacted.value)),
        "/run/redis.sock?db=2&password=s3cret%26"
      )
      const root = yield* configure({ KINORA_ROOT_PASSWORD: "hunter2" })
      assert.notInclude(JSON.stringify([keys.config, short.config, socket.config, root.config]), "s3cret")
      assert.notInclude(JSON.stringify(root.config), "hunter2")
    })
  )

  it.effect("reads lists, quantities and null from the environment", () =>
    Effect.gen(function* () {
      const { config } = yield* configure({
        KINORA_TRUST_PROXY: "loopback, 10.0.0.0/8",
        KINORA_TRENDING_VIDEOS_ALGORITHMS_ENABLED: '["hot"]',
        KINORA_THUMBNAILS_SIZES: '[{"width":10,"height":20}]',
        KINORA_USER_VIDEO_QUOTA: "1.5 GB",
        KINORA_USER_VIDEO_QUOTA_DAILY: "-1",
        KINORA_VIEWS_VIDEOS_VIEW_EXPIRATION: "1 day 2 hours",
        KINORA_DEFAULTS_PUBLISH_LICENCE: "null",
        KINORA_INSTANCE_SHORT_DESCRIPTION: ""
      })
      assert.deepStrictEqual(config.trust_proxy, ["loopback", "10.0.0.0/8"])
      assert.deepStrictEqual(config.trending.videos.algorithms.enabled, ["hot"])
      assert.deepStrictEqual(config.thumbnails.sizes, [{ width: 10, height: 20 }])
      assert.strictEqual(config.user.video_quota, 1.5 * 1024 ** 3)
      assert.strictEqual(config.user.video_quota_daily, -1)
      assert.deepStrictEqual(config.views.videos.view_expiration, Duration.hours(26))
      assert.isNull(config.defaults.publish.licence)
      assert.strictEqual(config.instance.short_description, "A place for videos")
    })
  )

  it.effect("warns of unknown keys with the nearest known one", () =>
    Effect.gen(function* () {
      const { config, file } = yield* configure(
        { KINORA_LISTEN_PROT: "1", KINORA_RATES_LIMIT_API_MAXX: "1", KINORA_CONFIG: "" },
        "listen:\n  prot: 9000\nintsance:\n  name: x\nzzzzzzzzzzzzzzzz: 1\n"
      )
      assert.deepStrictEqual(config.derived.warnings, [
        `unknown configuration key listen.prot (${file}:2): did you mean listen.port?`,
        `unknown configuration key intsance (${file}:3): did you mean instance?`,
        `unknown configuration key zzzzzzzzzzzzzzzz (${file}:5)`,
        "unknown configuration key KINORA_LISTEN_PROT (environment): did you mean KINORA_LISTEN_PORT?",
        "unknown configuration key KINORA_RATES_LIMIT_API_MAXX (environment): did you mean KINORA_RATES_LIMIT_API_MAX?"
      ])
    })
  )

  it.effect("takes overrides in tests, and only known ones", () =>
    Effect.gen(function* () {
      const config = yield* KinoraConfig.use(Effect.succeed).pipe(
        Effect.provide(
          KinoraConfig.layerTest({ listen: { port: 1234 }, transcoding: { resolutions: { "720p": false } } })
        )
      )
      assert.strictEqual(config.derived.host, "localhost:1234")
      assert.isFalse(config.transcoding.resolutions["720p"])
      const wrong = yield* Effect.exit(
        KinoraConfig.use(Effect.succeed).pipe(Effect.provide(KinoraConfig.layerTest({ listen: { prot: 1 } })))
      )
      assert.include(String(wrong), "listen.prot")
    })
  )
})
