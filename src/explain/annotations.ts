import type { ExecutionPlan } from '../physical/execution-plan.js';
import { LeafExec } from '../physical/leaf/leaf-exec.js';
import { AggregateExec } from '../physical/operators/aggregate-exec.js';
import { HashJoinExec } from '../physical/operators/hash-join-exec.js';
import { RepartitionExec } from '../physical/operators/repartition-exec.js';
import { SortExec } from '../physical/operators/sort-exec.js';

/** What sets the annotation apart from the plan's own lines: a comment, as SQL writes it. */
export const ANNOTATION_MARK = '-- ';

const SENTENCES: Readonly<Record<string, string>> = {
  // The distributed ones.
  NetworkShuffleExec: 'Reads another stage: each task receives the rows whose key hash falls into its buckets.',
  NetworkBroadcastExec: 'Reads another stage: every task receives all of its rows.',
  NetworkCoalesceExec:
    "Reads another stage: lines the partitions of its tasks up one after another; rows keep their partition's order.",
  BroadcastExec: 'Keeps its input and replays it to every task of the stage above.',
  DistributedLeafExec: 'Reads data: each task gets its own variant, decided while planning; t0, t1, … are the tasks.',
  ChildrenIsolatorUnionExec:
    'A union spread over tasks: t0:[c0(1/2)] says that task 0 runs the second half of child 0, counted from 0.',
  // Sources.
  DataSourceExec: 'Reads files or memory: one group per partition; idle partitions take file ranges from busy ones.',
  EmptyExec: 'Gives no rows.',
  PlaceholderRowExec: 'Gives one row without columns: what a SELECT without FROM starts from.',
  // Row by row.
  FilterExec: 'Passes on the rows for which the condition is true.',
  ProjectionExec: 'Computes the listed expressions for each row.',
  GlobalLimitExec: 'Skips and then passes on that many rows over the whole input.',
  LocalLimitExec: 'Passes on at most that many rows of each partition.',
  OutputRequirementExec: 'Does nothing; it held a required order or partitioning while the plan was made.',
  // Partitions.
  CoalescePartitionsExec: 'Gathers all partitions into one, in whatever order rows arrive.',
  SortPreservingMergeExec: 'Merges sorted partitions into one that is sorted.',
  UnionExec: "Puts its inputs' partitions side by side: UNION ALL.",
  InterleaveExec: 'A union of inputs that are hashed alike: partition i is partition i of every input.',
  // Joins.
  CrossJoinExec: 'Combines every row of its first input, which is collected, with every row of its second.',
  NestedLoopJoinExec: 'Joins by testing the condition on every pair of rows; its first input is collected into memory.',
};

interface Annotation {
  /** What counts as one kind: each is explained once. */
  readonly kind: string;
  readonly sentence: string;
}

function annotationOf(node: ExecutionPlan): Annotation | null {
  if (node instanceof LeafExec) {
    const fed = node.feed === null ? '' : '; the coordinator deals it units of work while it runs';
    return { kind: node.name, sentence: `A leaf of a plug-in: gives rows of its own${fed}.` };
  }
  if (node instanceof AggregateExec) return { kind: `AggregateExec ${node.mode}`, sentence: aggregateSentence(node) };
  if (node instanceof HashJoinExec) return { kind: `HashJoinExec ${node.mode}`, sentence: joinSentence(node) };
  if (node instanceof RepartitionExec) {
    const { kind } = node.properties.partitioning;
    return {
      kind: `RepartitionExec ${kind}`,
      sentence:
        kind === 'hash'
          ? 'Sends each row to the partition that the hash of its key picks: equal keys meet.'
          : 'Deals batches out to its partitions in turn, to keep them equally busy.',
    };
  }
  if (node instanceof SortExec) {
    const top = node.fetch !== null;
    return {
      kind: top ? 'SortExec TopK' : 'SortExec',
      sentence: top ? 'Keeps only the first rows by the sort keys (TopK).' : 'Sorts its input by the keys, in memory.',
    };
  }
  const sentence = SENTENCES[node.name];
  return sentence === undefined ? null : { kind: node.name, sentence };
}

function aggregateSentence({ mode }: AggregateExec): string {
  switch (mode) {
    case 'Partial':
      return 'Groups the rows of each partition by itself: gives one half-done result (state) per group and partition.';
    case 'PartialReduce':
      return 'Combines half-done results before they cross the network, so that fewer rows travel.';
    case 'Final':
      return 'Combines all half-done results of one partition into the answer.';
    case 'FinalPartitioned':
      return 'Combines the half-done results of its groups into the answer; every group lives in one partition.';
    case 'Single':
      return 'Groups its whole input in one step.';
    case 'SinglePartitioned':
      return 'Groups in one step per partition; every group lives in one partition.';
  }
}

function joinSentence({ mode }: HashJoinExec): string {
  switch (mode) {
    case 'CollectLeft':
      return 'Joins by hash: its first input (build side) is collected into one table that all partitions probe.';
    case 'Partitioned':
      return 'Joins by hash, partition by partition: both inputs are hashed by the join keys, so that equal keys meet.';
    case 'Auto':
      return 'Joins by hash.';
  }
}

/** Explains each kind of operator where it first appears. One per printed plan. */
export class Annotator {
  readonly #seen = new Set<string>();

  /** The sentence for a node whose kind was not seen before, else null. */
  first(node: ExecutionPlan): string | null {
    const annotation = annotationOf(node);
    if (annotation === null || this.#seen.has(annotation.kind)) return null;
    this.#seen.add(annotation.kind);
    return annotation.sentence;
  }
}
