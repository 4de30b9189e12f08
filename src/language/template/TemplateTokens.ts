/** The tokens of a template, in the words that messages about templates use. */
import { TokenStream } from "../expression/TokenStream.ts"
import { describeToken, type Token } from "./Token.ts"

export class TemplateTokens extends TokenStream<Token> {
  protected override describe(token: Token): string {
    return describeToken(token)
  }
}
