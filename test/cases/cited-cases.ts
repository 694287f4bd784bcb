import ts from "typescript";
import { isTest, listTypeScript, readText } from "../source-files.js";

/** One test that says in its title which cases it holds. */
export interface Citation {
  readonly ids: readonly string[];
  /** The title without the ids in front. */
  readonly title: string;
  readonly file: string;
}

const IDS = /^((?:[NF]-\d{3})(?:\s+[NF]-\d{3})*)\b[\s:]*/;

/** Modifiers that keep a test from proving anything. */
const UNPROVEN = new Set(["skip", "todo", "fails"]);

/**
 * The citations of all test files and of the testkit's suites. A title cites cases by beginning with
 * their ids: `it("N-034 N-035 three participants are refused", …)`. Skipped tests cite nothing.
 */
export function findCitations(): Citation[] {
  const files = [
    ...listTypeScript("packages").filter(
      (path) => isTest(path) || path.startsWith("packages/testkit/src/"),
    ),
    ...listTypeScript("test").filter((path) => isTest(path)),
  ];
  return [...new Set(files)].sort().flatMap((file) => citationsIn(file, readText(file)));
}

/** The citations of one file's text. */
export function citationsIn(file: string, text: string): Citation[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  const found: Citation[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const words = calleeWords(node.expression);
      const isSuite = words[0] === "describe" || words[0] === "suite";
      if ((isSuite || isTestCall(words)) && words.some((word) => UNPROVEN.has(word))) return;
      const title = isTestCall(words) ? titleOf(node.arguments[0]) : undefined;
      const match = title === undefined ? null : IDS.exec(title);
      if (title !== undefined && match) {
        const ids = (match[1] ?? "").split(/\s+/);
        found.push({ ids, title: title.slice(match[0].length), file });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isTestCall = (words: readonly string[]): boolean => words[0] === "it" || words[0] === "test";

/** `it.each(rows)` → it, each. */
function calleeWords(callee: ts.Expression): string[] {
  if (ts.isIdentifier(callee)) return [callee.text];
  if (ts.isPropertyAccessExpression(callee)) {
    return [...calleeWords(callee.expression), callee.name.text];
  }
  if (ts.isCallExpression(callee)) return calleeWords(callee.expression);
  if (ts.isTaggedTemplateExpression(callee)) return calleeWords(callee.tag);
  return [];
}

function titleOf(argument: ts.Expression | undefined): string | undefined {
  if (argument === undefined) return undefined;
  if (ts.isStringLiteralLike(argument)) return argument.text;
  if (ts.isTemplateExpression(argument)) {
    const spans = argument.templateSpans.map((span) => `…${span.literal.text}`);
    return argument.head.text + spans.join("");
  }
  return undefined;
}
