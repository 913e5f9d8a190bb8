/** A part of a multipart body. */
export interface Part {
  readonly name: string
  readonly filename?: string
  readonly type?: string
  readonly content: string | Buffer
}

export const boundary = "----KinoraTestBoundary7MA4YWxkTrZu0gW"

export const formType = `multipart/form-data; boundary=${boundary}`

/** The body of a form, its parts in this order. */
export const formBody = (parts: ReadonlyArray<Part>): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ content, filename, name, type }) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"` +
          (filename === undefined ? "" : `; filename="${filename}"`) +
          (type === undefined ? "" : `\r\nContent-Type: ${type}`) +
          "\r\n\r\n"
      ),
      Buffer.from(content),
      Buffer.from("\r\n")
    ]),
    Buffer.from(`--${boundary}--\r\n`)
  ])

export const fieldParts = (fields: Record<string, string>): ReadonlyArray<Part> =>
  Object.entries(fields).map(([name, content]) => ({ name, content }))
