/** Memoizes a function of an object, for as long as the object lives. */
export function remember<Key extends object, Answer>(work: (key: Key) => Answer): (key: Key) => Answer {
  const known = new WeakMap<Key, Answer>();
  return (key) => {
    let answer = known.get(key);
    if (answer === undefined && !known.has(key)) {
      answer = work(key);
      known.set(key, answer);
    }
    return answer as Answer;
  };
}
