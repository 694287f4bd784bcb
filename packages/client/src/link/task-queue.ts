/** Runs tasks one after the other, each later than the call that queued it. */
export interface TaskQueue {
  push(task: () => void): void;
}

/**
 * A {@link TaskQueue} on microtasks, one task each, so that promises settle between two tasks. A
 * task that throws does not hold up those behind it.
 */
export function createTaskQueue(): TaskQueue {
  const tasks: (() => void)[] = [];
  let head = 0;
  const runNext = (): void => {
    const task = tasks[head];
    head += 1;
    if (head === tasks.length) {
      tasks.length = 0;
      head = 0;
    } else {
      queueMicrotask(runNext);
    }
    task?.();
  };
  return {
    push(task) {
      tasks.push(task);
      if (tasks.length === 1) queueMicrotask(runNext);
    },
  };
}
