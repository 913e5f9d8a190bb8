import type { Random } from "./Random.ts"

/** What a language's words are made of: real ones that come first, and syllables for the long tail of rare ones. */
interface Tongue {
  readonly common: ReadonlyArray<string>
  readonly syllables: ReadonlyArray<string>
  /** Between words. */
  readonly gap: string
}

const list = (text: string): ReadonlyArray<string> => text.split(" ")

const tongues: Readonly<Record<string, Tongue>> = {
  en: {
    gap: " ",
    common: list(
      "the how to and live music review guide best free software night city travel cooking guitar garden history science " +
        "privacy open source linux tutorial interview episode part documentary news mountain river ocean bicycle repair " +
        "wood workshop painting election economy climate chess piano concert football match story bread camera flight " +
        "computer drone forest winter summer question answer teaching children theatre poetry robot satellite volcano"
    ),
    syllables: list(
      "ber lin ton wick shaw der mar fle ros hol den kin pem gar stow bly ith nor wes can ter low ash mere ford"
    )
  },
  fr: {
    gap: " ",
    common: list(
      "le la comment et direct musique critique guide meilleur libre logiciel nuit ville voyage cuisine guitare jardin " +
        "histoire science vie privée épisode entretien documentaire actualité montagne rivière océan vélo réparation " +
        "bois atelier peinture élection économie climat échecs piano concert forêt hiver été question réponse théâtre " +
        "poésie château crème brûlée façade garçon naïve où déjà maïs cœur élève fenêtre grâce hôtel île"
    ),
    syllables: list(
      "beau mont ville lac roche ché vou lier mar tin du pré gny sur lé gère fon tai bleau cé dric au ré né tou"
    )
  },
  de: {
    gap: " ",
    common: list(
      "der die das wie und Musik Kritik Anleitung beste freie Software Nacht Stadt Reise Kochen Gitarre Garten Geschichte " +
        "Wissenschaft Datenschutz Folge Gespräch Dokumentation Nachrichten Gebirge Fluss Ozean Fahrrad Reparatur Holz " +
        "Werkstatt Malerei Wahl Wirtschaft Klima Schach Klavier Konzert Wald Winter Sommer Frage Antwort Bühne Gedicht " +
        "Straße Größe Übung Äpfel Öl Tür Mädchen Käse Brötchen Schlüssel Vögel fünf"
    ),
    syllables: list(
      "berg stein wald hof furt brück mühl bach tal rei chen lein ster heim dorf güt lich keit ung schaft zel grü"
    )
  },
  es: {
    gap: " ",
    common: list(
      "el la cómo y directo música reseña guía mejor libre programa noche ciudad viaje cocina guitarra jardín historia " +
        "ciencia privacidad episodio entrevista documental noticias montaña río océano bicicleta reparación madera taller " +
        "pintura elección economía clima ajedrez piano concierto bosque invierno verano pregunta respuesta teatro poesía " +
        "niño mañana corazón árbol último fácil página película"
    ),
    syllables: list("va llé mon ta ña cas ti llo ra mí rez gue rre ro san ta cruz be lla lu na pe dro cal de rón")
  },
  it: {
    gap: " ",
    common: list(
      "il la come e diretta musica recensione guida migliore libero notte città viaggio cucina chitarra giardino storia " +
        "scienza puntata intervista documentario notizie montagna fiume oceano bicicletta legno bottega pittura economia " +
        "clima scacchi pianoforte concerto bosco inverno estate domanda risposta teatro poesia perché così caffè libertà"
    ),
    syllables: list("bel la mon te ros so fi o ren za gio van ni lu ca ver di mar co pa laz zo cam po san pie tro")
  },
  pt: {
    gap: " ",
    common: list(
      "o a como e música crítica guia melhor livre noite cidade viagem cozinha guitarra jardim história ciência episódio " +
        "entrevista documentário notícias montanha rio oceano bicicleta madeira oficina pintura eleição economia clima " +
        "xadrez piano concerto floresta inverno verão pergunta resposta teatro poesia coração manhã avião não são"
    ),
    syllables: list("ri bei ro sil va mo rei ra cas te lo bran co pi nho por to ne gro fon se ca al mei da")
  },
  ru: {
    gap: " ",
    common: list(
      "как и музыка обзор лучший свободный ночь город путешествие кухня гитара сад история наука выпуск интервью новости " +
        "гора река океан велосипед ремонт дерево мастерская живопись выборы экономика климат шахматы концерт лес зима " +
        "лето вопрос ответ театр поэзия книга дорога ёлка"
    ),
    syllables: list("ка за но ва пет ров ска мо ро зов бе ле ни на го ро док све тлы ян ту ре чка лов ство")
  },
  ja: {
    gap: "",
    common: list(
      "音楽 料理 旅行 歴史 科学 東京 京都 自転車 修理 森 冬 夏 質問 回答 入門 最新 ニュース ゲーム 実況 映画 ギター 将棋 電車 犬 猫 花見 温泉 散歩 解説 " +
        "第一回 第二回 自由 ソフトウェア"
    ),
    syllables: list("カ キ ク ケ コ サ シ ス タ テ ト ナ ニ ノ ハ マ ミ ラ リ ル レ ロ ン ゴ ド")
  }
}

/** Languages of the words there are, by identifier of the contract. */
export const wordLanguages: ReadonlyArray<string> = Object.keys(tongues)

/** Rare words of each language. */
const rare = 6_000

const coined = (tongue: Tongue, random: Random): string => {
  let word = ""
  for (let parts = 2 + random.below(3); parts > 0; parts--) word += random.pick(tongue.syllables)
  return word
}

/** Texts out of words whose frequency falls as Zipf's law has it. */
export class Words {
  readonly #random: Random
  readonly #vocabulary = new Map<string, ReadonlyArray<string>>()

  constructor(random: Random) {
    this.#random = random
    for (const [language, tongue] of Object.entries(tongues)) {
      const words = new Set(tongue.common)
      while (words.size < tongue.common.length + rare) words.add(coined(tongue, random))
      this.#vocabulary.set(language, [...words])
    }
  }

  /** So many words of a language, the first letter a capital where it has one. */
  phrase(language: string, words: number): string {
    const vocabulary = this.#vocabulary.get(language)!
    let text = ""
    for (let n = 0; n < words; n++) {
      text += (n === 0 ? "" : tongues[language]!.gap) + vocabulary[this.#random.zipf(vocabulary.length)]!
    }
    return text.slice(0, 1).toUpperCase() + text.slice(1)
  }

  /** A name as videos have it: some words, often with a number, a year or a part. At most 120 characters. */
  title(language: string): string {
    const random = this.#random
    const text = this.phrase(language, 3 + random.below(5))
    switch (random.below(8)) {
      case 0:
        return `${text} #${1 + random.below(300)}`
      case 1:
        return `${text} (${2020 + random.below(7)})`
      case 2:
        return `${text} S0${1 + random.below(9)}E${10 + random.below(40)}`
      case 3:
        return `${this.phrase(language, 2)}: ${text}`
      default:
        return text
    }
  }

  /** Some sentences. */
  description(language: string): string {
    const sentences = 1 + this.#random.skewed(6, 2)
    let text = ""
    for (let n = 0; n < sentences; n++)
      text += `${n === 0 ? "" : " "}${this.phrase(language, 5 + this.#random.below(12))}.`
    return text
  }

  /** Distinct words for tags, the frequent ones first. */
  tags(count: number): ReadonlyArray<string> {
    const words = new Set<string>()
    for (let rank = 0; words.size < count; rank++) {
      for (const vocabulary of this.#vocabulary.values()) {
        const word = vocabulary[rank]
        if (word !== undefined && word.length >= 2 && words.size < count) words.add(word.toLowerCase())
      }
    }
    return [...words]
  }
}
