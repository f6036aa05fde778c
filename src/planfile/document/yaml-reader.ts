import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { DistqError, type Span } from '../../base/errors.js';
import type { DocumentField, DocumentNode, InnerPlace } from './document-node.js';

/** Reads one YAML 1.2 document (core schema; aliases and merge-free). Errors are `parse` errors with their place. */
export function readYaml(text: string): DocumentNode {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [document] = documents;
  if (!Array.isArray(documents) || document === undefined) {
    throw new DistqError('parse', 'the file is empty', { span: { line: 1, column: 1 } });
  }
  const second = documents[1];
  if (second !== undefined) {
    throw new DistqError('parse', 'the file holds more than one YAML document', {
      span: spanAt(lines, second.range[0]),
      hint: 'keep one query in a file',
    });
  }
  const [problem] = document.errors;
  if (problem !== undefined) {
    const message = problem.message.charAt(0).toLowerCase() + problem.message.slice(1);
    throw new DistqError('parse', message, { span: spanAt(lines, problem.pos[0]) });
  }
  return new YamlConverter(document, lines, text).convert(document.contents, []);
}

function spanAt(lines: LineCounter, offset: number): Span {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

class YamlConverter {
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;
  readonly #text: string;

  constructor(document: Document.Parsed, lines: LineCounter, text: string) {
    this.#document = document;
    this.#lines = lines;
    this.#text = text;
  }

  /** `open`: the collections this node stands in, so that an alias to one of them is seen as a cycle. */
  convert(node: Node | null, open: readonly Node[]): DocumentNode {
    const span = this.#span(node);
    if (node === null) return { kind: 'null', span };
    if (isAlias(node)) {
      const target = node.resolve(this.#document);
      if (target === undefined) throw new DistqError('parse', `no anchor "&${node.source}" stands above`, { span });
      if (open.includes(target)) {
        throw new DistqError('parse', `the alias "*${node.source}" stands inside of what it names`, { span });
      }
      return this.convert(target, open);
    }
    if (open.length > 1000) throw new DistqError('parse', 'the document is nested deeper than 1000 levels', { span });
    if (isMap<Node, Node | null>(node)) return { kind: 'object', fields: this.#fields(node, [...open, node]), span };
    if (isSeq<Node | null>(node)) {
      return { kind: 'list', items: node.items.map((item) => this.convert(item, [...open, node])), span };
    }
    if (!isScalar(node)) throw new DistqError('parse', 'a value of unknown kind', { span });
    const { value, source } = node;
    if (value === null) return { kind: 'null', span };
    if (typeof value === 'boolean') return { kind: 'boolean', value, span };
    if (typeof value === 'number' || typeof value === 'bigint') {
      return { kind: 'number', text: source?.replace(/^\+/, '') ?? String(value), span };
    }
    const content = typeof value === 'string' ? value : (source ?? '');
    return { kind: 'string', value: content, span, inner: this.#inner(node, content) };
  }

  #inner(node: Scalar, content: string): InnerPlace | null {
    const { range, type } = node;
    if (range === undefined || range === null) return null;
    const source = this.#text.slice(range[0], range[1]);
    if (type === 'BLOCK_LITERAL') {
      const [, ...lines] = source.split('\n');
      const indent = /^ */.exec(lines[0] ?? '')?.[0].length ?? 0;
      return { line: spanAt(this.#lines, range[0]).line + 1, column: indent + 1, block: true };
    }
    const at = source.indexOf(content);
    if (at < 0 || content.includes('\n')) return null;
    return { ...spanAt(this.#lines, range[0] + at), block: false };
  }

  #fields(map: YAMLMap<Node, Node | null>, open: readonly Node[]): Map<string, DocumentField> {
    const fields = new Map<string, DocumentField>();
    for (const { key, value } of map.items) {
      const span = this.#span(key);
      const name = isScalar(key) ? (key.source ?? String(key.value)) : undefined;
      if (name === undefined) throw new DistqError('parse', 'a field name is no text', { span });
      fields.set(name, { span, value: this.convert(value, open) });
    }
    return fields;
  }

  #span(node: Node | null): Span {
    const range = node?.range;
    return range === undefined || range === null ? { line: 1, column: 1 } : spanAt(this.#lines, range[0]);
  }
}
