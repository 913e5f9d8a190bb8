/** Values that stand in the place of placeholders. */
export interface MailingValues {
  readonly username: string
  readonly instanceName: string
  readonly instanceUrl: string
}

const placeholder = /\{\{\s*([^{}]{0,50}?)\s*\}\}/g

const known: ReadonlySet<string> = new Set(["username", "instanceName", "instanceUrl"] satisfies ReadonlyArray<
  keyof MailingValues
>)

/** The first placeholder of a text that names nothing. */
export const unknownPlaceholder = (text: string): string | undefined =>
  [...text.matchAll(placeholder)].map(([, name = ""]) => name).find((name) => !known.has(name))

/** Characters that mean something in Markdown: a name is shown as it is. */
const markdownSigns = /[\\`*_{}[\]()<>#+\-.!|~]/g

/** The text with its placeholders filled in. `escape` is for values that stand in Markdown, but not in the address. */
const fill = (text: string, values: MailingValues, escape: (value: string) => string): string =>
  text.replaceAll(placeholder, (whole, name: string) => {
    if (!known.has(name)) return whole
    const value = values[name as keyof MailingValues]
    return name === "instanceUrl" ? value : escape(value)
  })

/** A text as it is read without any markup. */
export const filledText = (text: string, values: MailingValues): string => fill(text, values, (value) => value)

/** The same as Markdown. */
export const filledMarkdown = (text: string, values: MailingValues): string =>
  fill(text, values, (value) => value.replaceAll(markdownSigns, (sign) => `\\${sign}`))
