const normalise = (path: string): string => {
  const parts: Array<string> = []
  for (const part of path.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== ".") parts.push(part)
  }
  return parts.join("/")
}

/** The file of the repository a specifier leads to, or undefined for packages of others. */
export const resolve = (from: string, specifier: string): string | undefined => {
  if (specifier.startsWith(".")) return normalise(`${from.slice(0, from.lastIndexOf("/"))}/${specifier}`)
  const ours = /^@kinora\/([^/]+)\/(.+)$/.exec(specifier)
  return ours === null ? undefined : `packages/${ours[1]}/src/${ours[2]}.ts`
}
