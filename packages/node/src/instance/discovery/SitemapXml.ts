import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import type { SitemapRow } from "@kinora/storage/instance/installation/Sitemap"

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const pathOf = (row: SitemapRow): string => {
  if (row.kind === "video") return `/w/${toShortUuid(row.name)}`
  return `/${row.kind === "channel" ? "c" : "a"}/${encodeURIComponent(row.name)}/videos`
}

/** A site map (sitemaps.org, 0.9) of the home page and the given rows. */
export const sitemapXml = (origin: string, rows: ReadonlyArray<SitemapRow>): string => {
  const entries = rows.map(
    (row) => `  <url><loc>${escape(origin + pathOf(row))}</loc><lastmod>${row.modifiedAt}</lastmod></url>`
  )
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`,
    `  <url><loc>${escape(origin)}/</loc></url>`,
    ...entries,
    "</urlset>",
    ""
  ].join("\n")
}
