import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../config/Config.ts"
import { cleanText } from "../html/Escape.ts"
import { Html, html, urlAttribute } from "../html/Html.ts"
import { toSafeHtml } from "../markdown/Markdown.ts"
import type { Mail } from "./Mail.ts"
import { oneLine } from "./MailText.ts"
import type { Letter } from "./Transport.ts"
import { type Sender, type MailContent, contentOf } from "./MailContent.ts"

const longestSentence = 2000

interface Stationery {
  readonly sender: Sender
  /** Prefix of every subject; may be empty. */
  readonly prefix: string
  readonly signature: string
}

const quoted = ({ quote }: MailContent): { readonly title: string; readonly text: string } | undefined =>
  quote === undefined || quote.text.trim() === "" ? undefined : quote

/** Our sentences stay on one line: a name that a user chose cannot add a paragraph. */
const sentence = (text: string): string => oneLine(text, longestSentence)

const linesOf = (text: string): ReadonlyArray<string> => text.trim().split(/\r\n|\r|\n/)

const asText = (words: MailContent, { signature }: Stationery): string => {
  const quote = quoted(words)
  const blocks = [
    ...words.paragraphs.map(sentence),
    ...(words.letter === undefined ? [] : [words.letter.text.trim()]),
    ...(words.action === undefined ? [] : [`${words.action.label}:\n${words.action.link}`]),
    ...(quote === undefined
      ? []
      : [
          `${quote.title}:\n${linesOf(quote.text)
            .map((line) => `> ${line}`)
            .join("\n")}`
        ]),
    ...(words.afterwards ?? []),
    ...(words.links ?? []).map(({ label, link }) => `${label}:\n${link}`),
    // The signature delimiter in plain text (RFC 3676 §4.3).
    `-- \n${signature}`
  ]
  return `${blocks.map(cleanText).join("\n\n")}\n`
}

const button = ({ label, link }: { readonly label: string; readonly link: string }): Html =>
  html`<p
      style="margin:24px 0"
    >
      <a
        ${urlAttribute("href", link)}
        style="display:inline-block;padding:12px 20px;border-radius:6px;background:#17594a;color:#ffffff;text-decoration:none;font-weight:bold"
        >${label}</a
      >
    </p>
    <p style="font-size:14px">
      Or open this address in your browser:<br /><a${urlAttribute("href", link)} style="word-break:break-all">${link}</a>
    </p>`

const smallLink = ({ label, link }: { readonly label: string; readonly link: string }): Html =>
  html`<p style="margin:0 0 8px;font-size:14px"><a${urlAttribute("href", link)}>${label}</a></p>`

const paragraph = (text: string): Html => html`<p style="margin:0 0 16px">${text}</p>`

/** Line breaks in users' text become elements, so that source formatting adds none. */
const quotation = (quote: { readonly title: string; readonly text: string }): Html => {
  const lines = linesOf(quote.text).map((line, i) => html`${i > 0 && html`<br />`}${line}`)
  return html`<p style="margin:0 0 8px">${quote.title}:</p>
    <blockquote style="margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid #cccccc">${lines}</blockquote>`
}

/** A few inline styles, none of them necessary: many mail programs show none. Nothing is loaded from anywhere. */
const asHtml = (words: MailContent, { sender, signature }: Stationery): string => {
  const quote = quoted(words)
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${words.subject}</title></head>
<body style="margin:0;padding:24px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:16px;line-height:1.5">
<div style="max-width:560px;margin:0 auto">
${words.paragraphs.map(paragraph)}
${words.letter !== undefined && Html.trusted(toSafeHtml(words.letter.markdown))}
${words.action !== undefined && button(words.action)}
${quote !== undefined && quotation(quote)}
${words.afterwards?.map(paragraph)}
${words.links?.map(smallLink)}
<hr style="border:0;border-top:1px solid #cccccc;margin:24px 0">
<p style="margin:0;font-size:14px;white-space:pre-line">${signature}</p>
<p style="margin:0;font-size:14px"><a${urlAttribute("href", `${sender.origin}/`)}>${sender.origin}</a></p>
</div>
</body></html>
`.markup
}

/** Renders mails: subject, plain text and HTML. Users' values are escaped in HTML and cannot add lines to headers. */
export class Templates extends Context.Service<
  Templates,
  {
    readonly write: (mail: Mail) => Omit<Letter, "id">
    /** The same for given content. */
    readonly lay: (to: string, words: MailContent) => Omit<Letter, "id">
  }
>()("@kinora/node/mail/Templates") {
  static readonly layer = Layer.effect(
    Templates,
    Effect.map(KinoraConfig, ({ derived, email, instance }) => {
      const sender = () => ({ name: oneLine(instance.name), origin: derived.origin })
      const lay = (to: string, words: MailContent): Omit<Letter, "id"> => {
        const stationery: Stationery = {
          sender: sender(),
          prefix: email.subject.prefix.trim(),
          signature: email.body.signature
        }
        return {
          to,
          subject: oneLine(`${stationery.prefix} ${words.subject}`),
          text: asText(words, stationery),
          html: asHtml(words, stationery)
        }
      }
      return Templates.of({
        write: (mail) => ({
          ...lay(mail.to, contentOf(mail, sender())),
          ...(mail._tag === "Contact" ? { replyTo: mail.fromEmail } : {}),
          ...(mail._tag === "Announcement" && mail.unsubscribe !== null ? { unsubscribe: mail.unsubscribe } : {})
        }),
        lay
      })
    })
  )
}
