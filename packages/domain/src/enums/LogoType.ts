/** Kinds of logos of an instance, with their ids (contract: LogoType, UploadImageType). */
export const logoTypes = ["favicon", "header-wide", "header-square", "opengraph"] as const
export type LogoType = (typeof logoTypes)[number]

export const logoTypeIds: Readonly<Record<LogoType, 1 | 2 | 3 | 4>> = {
  favicon: 1,
  "header-wide": 2,
  "header-square": 3,
  opengraph: 4
}

/** Size of each in pixels (contract: ImageSizes). Without a width, the picture keeps its shape. */
export const logoSizes: Readonly<Record<LogoType, { readonly width: number | null; readonly height: number }>> = {
  favicon: { width: 32, height: 32 },
  "header-wide": { width: null, height: 48 },
  "header-square": { width: 48, height: 48 },
  opengraph: { width: 1200, height: 650 }
}
