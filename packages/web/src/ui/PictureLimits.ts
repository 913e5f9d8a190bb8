/** Which pictures are taken. */
export interface PictureLimits {
  /** Endings with their dots, as `.png`. */
  readonly extensions: ReadonlyArray<string>
  readonly maxBytes: number
}

/** Why a file cannot be taken, before it is sent; undefined when it can. */
export const pictureRefusal = (file: Pick<File, "name" | "size">, { extensions, maxBytes }: PictureLimits) =>
  !extensions.some((it) => file.name.toLowerCase().endsWith(it))
    ? "pictureKind"
    : file.size > maxBytes
      ? "pictureLarge"
      : undefined

/** Kinds of files as people write them: `.jpg` and `.jpeg` are the same. */
export const kindsOf = (extensions: ReadonlyArray<string>): string =>
  [...new Set(extensions.map((it) => it.slice(1).toUpperCase().replace("JPG", "JPEG").replace("WEBP", "WebP")))].join(
    ", "
  )
