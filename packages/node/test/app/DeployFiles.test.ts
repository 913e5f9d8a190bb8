import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { parseAllDocuments } from "yaml"
import { flatKeys, shortForms } from "../../src/platform/config/Keys.ts"
import { runCli } from "../cli/RunCli.ts"
import { root } from "../support/KinoraProcess.ts"

const folder = join(root, "docs/deploy")
const read = (name: string): string => readFileSync(join(folder, name), "utf8")

// oxlint-disable-next-line typescript/no-explicit-any -- documents of others' formats are looked at field by field
type Document = any

const yaml = (name: string): ReadonlyArray<Document> =>
  parseAllDocuments(read(name)).map((document) => {
    assert.deepStrictEqual(document.errors, [], name)
    assert.deepStrictEqual(document.warnings, [], name)
    return document.toJS()
  })

/** Every file of the folder. */
const files = globSync("**/*.*", { cwd: folder }).concat("Containerfile")

const environments = (name: string) => [...read(name).matchAll(/\b(?:KINORA_[A-Z0-9_]+|DATABASE_URL|REDIS_URL)\b/g)]

/** Values as somebody might choose them, in the place of what is left open. */
const filled = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).map(([name, value]) => {
      const open = value.replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, variable: string) =>
        variable === "KINORA_WEBSERVER_HOSTNAME" ? "video.example.org" : "a-long-random-text-of-somebody"
      )
      return [name, open]
    })
  )

it("files to deploy with name variables that are keys of the configuration", () => {
  const known = new Set([...flatKeys.map(({ env }) => env), ...Object.keys(shortForms)])
  const named = files.flatMap((name) => environments(name).map(([variable]) => `${variable} in ${name}`))
  assert.isAbove(named.length, 20)
  assert.deepStrictEqual(
    named.filter((it) => !known.has(it.split(" ")[0]!)),
    []
  )
})

it("the README names each of them", () => {
  const text = read("README.md")
  for (const name of files.filter((it) => it !== "README.md")) assert.include(text, basename(name))
})

it.effect("configurations of containers are ones that the program takes", () =>
  Effect.gen(function* () {
    const compose = yaml("compose.yaml")[0]
    const config = yaml("kubernetes/kinora.yaml").find(({ kind }) => kind === "ConfigMap").data
    const secret = yaml("kubernetes/secret.example.yaml")[0].stringData
    for (const env of [compose.services.node.environment, { ...config, ...secret }]) {
      const { code, err, out } = yield* runCli(["config", "check"], { env: filled(env) })
      assert.strictEqual(code, 0, out + err)
    }
  }).pipe(Effect.provide(NodeServices.layer))
)

it("the container file copies, runs and begins what there is", () => {
  const text = read("Containerfile")
  for (const path of ["scripts/build.ts", "packages/web/build.ts"]) {
    assert.include(text, `node ${path}`)
    assert.isTrue(existsSync(join(root, path)), path)
  }
  const build = readFileSync(join(root, "scripts/build.ts"), "utf8")
  for (const bundle of ["kinora.mjs", "kinora-runner.mjs"]) {
    assert.include(text, `/opt/kinora/dist/${bundle}`)
    assert.include(build, bundle)
  }
  assert.match(text, /^USER 10001:10001$/m)
  assert.match(text, /^HEALTHCHECK /m)
  const stages = [...text.matchAll(/^FROM (\S+)(?: AS (\S+))?$/gm)].map(([, , name]) => name)
  for (const [, from] of text.matchAll(/--from=(\S+)/g)) assert.include(stages, from)
  // Left out of the context: nothing that is copied or built from.
  for (const path of ["packages", "runner", "scripts", "package.json", "package-lock.json"]) {
    assert.notInclude(read("Containerfile.dockerignore").split("\n"), path)
  }
})

it("compose describes services that there are", () => {
  const { services, volumes } = yaml("compose.yaml")[0]
  assert.deepStrictEqual(Object.keys(services).toSorted(), ["node", "postgres", "redis", "runner"])
  assert.isTrue(existsSync(join(folder, services.node.build.context, services.node.build.dockerfile)))
  for (const service of Object.values<Document>(services)) {
    for (const name of Object.keys(service.depends_on ?? {})) assert.property(services, name)
    for (const mount of service.volumes ?? []) assert.property(volumes, mount.split(":")[0])
  }
  for (const name of Object.keys(services.runner.depends_on)) assert.property(services, name)
})

it("manifests refer to each other, and probe what the node serves", () => {
  const documents = yaml("kubernetes/kinora.yaml")
  const of = (kind: string) => documents.find((it) => it.kind === kind)
  const { spec } = of("Deployment")
  const [container] = spec.template.spec.containers
  assert.deepInclude(spec.template.metadata.labels, spec.selector.matchLabels)
  assert.deepInclude(spec.template.metadata.labels, of("Service").spec.selector)
  const ports: ReadonlyArray<string> = container.ports.map(({ name }: { name: string }) => name)
  for (const { targetPort } of of("Service").spec.ports) assert.include(ports, targetPort)
  const probes = { startupProbe: "/live", livenessProbe: "/live", readinessProbe: "/ready" }
  for (const [probe, path] of Object.entries(probes)) {
    assert.deepStrictEqual(container[probe].httpGet, { path, port: "metrics" })
  }
  const [config, secret] = container.envFrom
  assert.strictEqual(config.configMapRef.name, of("ConfigMap").metadata.name)
  assert.strictEqual(secret.secretRef.name, yaml("kubernetes/secret.example.yaml")[0].metadata.name)
  const volumes = spec.template.spec.volumes
  assert.strictEqual(volumes[0].persistentVolumeClaim.claimName, of("PersistentVolumeClaim").metadata.name)
  for (const { name } of container.volumeMounts) assert.isTrue(volumes.some((it: Document) => it.name === name))
  assert.isTrue(spec.template.spec.securityContext.runAsNonRoot)
  assert.include(read("Containerfile"), `USER ${spec.template.spec.securityContext.runAsUser}:`)
})

it("units of systemd are ones that it takes, and begin what there is", () => {
  for (const name of globSync("systemd/*", { cwd: folder })) {
    const text = read(name)
    for (const [, path] of text.matchAll(/\/opt\/kinora\/([\w/.-]+)/g))
      assert.isTrue(existsSync(join(root, path!)), path)
    const { error, stderr } = spawnSync("systemd-analyze", ["verify", join(folder, name)], { encoding: "utf8" })
    if (error !== undefined) continue
    // Kinora is not installed here.
    const complaints = stderr.split("\n").filter((line) => line !== "" && !line.includes("is not executable"))
    assert.deepStrictEqual(complaints, [], name)
  }
})

it("rules and dashboard have what Prometheus and Grafana ask for", () => {
  const rules: ReadonlyArray<Document> = yaml("prometheus/kinora.rules.yml")[0].groups.flatMap(
    (group: Document) => group.rules
  )
  const names = rules.map(({ alert }) => alert)
  assert.strictEqual(new Set(names).size, names.length)
  for (const { alert, annotations, expr, labels } of rules) {
    assert.match(alert, /^Kinora\w+$/)
    assert.include(["critical", "warning"], labels.severity, alert)
    assert.isString(annotations.summary, alert)
    assert.strictEqual(expr.split("(").length, expr.split(")").length, alert)
  }
  const scrape = yaml("prometheus/prometheus.yml")[0]
  assert.isTrue(existsSync(join(folder, "prometheus", scrape.rule_files[0])))
  assert.strictEqual(scrape.scrape_configs[0].job_name, "kinora")

  const dashboard: Document = JSON.parse(read("grafana/kinora.json"))
  const ids = dashboard.panels.map((panel: Document) => panel.id)
  assert.strictEqual(new Set(ids).size, ids.length)
  for (const panel of dashboard.panels.filter(({ type }: Document) => type !== "row")) {
    assert.isNotEmpty(panel.targets, panel.title)
    for (const { expr } of panel.targets) {
      assert.strictEqual(expr.split("(").length, expr.split(")").length, panel.title)
      assert.strictEqual(expr.split("{").length, expr.split("}").length, panel.title)
    }
  }
})
