/** An import of one source file by another of the same package, by their paths from the root of the repository. */
export interface Edge {
  readonly from: string
  readonly to: string
}

/** Domains of the node and of storage. A file imports from its own domain and from those further down. */
const domains = [
  "app",
  "cli",
  "web-pages",
  "archive",
  "instance",
  "federation",
  "runner",
  "live",
  "social",
  "video",
  "people",
  "platform"
]

/** Only `app` may import the other two. */
const leaves: ReadonlySet<string> = new Set(["app", "cli", "web-pages"])

/** Domains of the entry point, which stands in no domain itself. */
const ofEntryPoint: ReadonlySet<string> = new Set(["app", "cli", "platform"])

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/"))

const partsBelow = (root: string, path: string): ReadonlyArray<string> => path.slice(root.length + 1).split("/")

/** Every import that runs against the order of domains in the folder `root` of sources. */
export const brokenOrder = (root: string, edges: ReadonlyArray<Edge>): ReadonlyArray<string> =>
  edges.flatMap(({ from, to }) => {
    const [own = "", ...rest] = partsBelow(root, from)
    const [other = ""] = partsBelow(root, to)
    if (own === other) return []
    if (rest.length === 0) {
      return ofEntryPoint.has(other) ? [] : [`${from}: the entry point may not import the domain ${other} (${to})`]
    }
    const unknown = [own, other].find((it) => !domains.includes(it))
    if (unknown !== undefined) return [`${from}: ${unknown} is no domain (${to})`]
    const isDown = domains.indexOf(own) < domains.indexOf(other)
    return isDown && (own === "app" || !leaves.has(other)) ? [] : [`${from}: ${own} may not import ${other} (${to})`]
  })

/** The step from one folder to another and the imports that make it. */
interface Step {
  readonly from: string
  readonly to: string
  readonly edges: ReadonlyArray<Edge>
}

type Graph = Map<string, Map<string, Array<Edge>>>

/**
 * Where two files part: the deepest folder that holds both, and what of it leads to each: a folder with all below it, or
 * the folder itself for files that are directly in it.
 */
const parting = ({ from, to }: Edge) => {
  const one = folderOf(from).split("/")
  const other = folderOf(to).split("/")
  let depth = 0
  while (depth < one.length && depth < other.length && one[depth] === other[depth]) depth++
  const childOf = (parts: ReadonlyArray<string>) => parts.slice(0, depth + 1).join("/")
  return { parent: one.slice(0, depth).join("/"), from: childOf(one), to: childOf(other) }
}

/** By each folder, what its files and its subfolders, each with all below it, import of each other. */
const levels = (edges: ReadonlyArray<Edge>): ReadonlyMap<string, Graph> => {
  const graphs = new Map<string, Graph>()
  for (const edge of edges) {
    if (folderOf(edge.from) === folderOf(edge.to)) continue
    const { parent, from, to } = parting(edge)
    const graph: Graph = graphs.get(parent) ?? new Map()
    const targets = graph.get(from) ?? new Map<string, Array<Edge>>()
    targets.set(to, [...(targets.get(to) ?? []), edge])
    graphs.set(parent, graph.set(from, targets))
  }
  return graphs
}

/** The shortest way from one node back to itself. */
const circleThrough = (graph: Graph, start: string): ReadonlyArray<string> | undefined => {
  const before = new Map<string, string>()
  const waiting = [start]
  for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
    for (const next of graph.get(node)?.keys() ?? []) {
      if (next === start) {
        const way = [start]
        for (let at = node; at !== start; at = before.get(at) ?? start) way.splice(1, 0, at)
        return way
      }
      if (before.has(next)) continue
      before.set(next, node)
      waiting.push(next)
    }
  }
  return undefined
}

const shortestCircle = (graph: Graph): ReadonlyArray<string> | undefined =>
  [...graph.keys()]
    .toSorted()
    .flatMap((node) => {
      const circle = circleThrough(graph, node)
      return circle === undefined ? [] : [circle]
    })
    .reduce<ReadonlyArray<string> | undefined>(
      (best, circle) => (best === undefined || circle.length < best.length ? circle : best),
      undefined
    )

const stepsOf = (graph: Graph, circle: ReadonlyArray<string>): ReadonlyArray<Step> =>
  circle.map((from, n) => {
    const to = circle[(n + 1) % circle.length] ?? from
    return { from, to, edges: graph.get(from)?.get(to) ?? [] }
  })

/**
 * Every circle between folders of one package, at every level: in no folder may subfolders, each taken with all below it,
 * and the folder's own files import each other in a circle. Two exact folders in a circle also are one at the level where
 * they part. Of each circle, the shortest first, the step with the fewest imports is named: without these imports it is
 * gone.
 */
export const folderCircles = (edges: ReadonlyArray<Edge>): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const [, graph] of [...levels(edges)].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    for (let circle = shortestCircle(graph); circle !== undefined; circle = shortestCircle(graph)) {
      const [lightest] = stepsOf(graph, circle).toSorted((a, b) => a.edges.length - b.edges.length)
      if (lightest === undefined) break
      const way = [...circle, circle[0]].join(" -> ")
      for (const { from, to } of lightest.edges) found.push(`${from}: imports ${to} in a circle of folders: ${way}`)
      graph.get(lightest.from)?.delete(lightest.to)
    }
  }
  return found
}
