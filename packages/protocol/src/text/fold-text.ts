/**
 * A text in the form in which a search compares: lower case in every script, both forms of the
 * small sigma as one. What a text holds in this form is found whatever its case.
 */
export function foldText(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}
