-- Where the time of a get goes: the call, or the first use of its block.
WITH parts AS (
    SELECT block_elements AS n, network, median(mean_get_s) AS call, interval_low(mean_get_s) AS call_low,
           interval_high(mean_get_s) AS call_high, median(mean_blocked_s) AS use,
           interval_low(mean_blocked_s) AS use_low,
           interval_high(mean_blocked_s) AS use_high
    FROM prefetch_wait_size
    WHERE status = 'pass' AND iteration = 0 AND variant = 'no-prefetch'
      AND block_elements = (SELECT max(block_elements) FROM prefetch_wait_size)
    GROUP BY block_elements)
SELECT 'peshne-c-006' AS id, call / use AS value, call_low / use_high AS low, call_high / use_low AS high,
       printf('of the wait at the first use is spent in the get, %d elements, network: %s', n, network) AS words
FROM parts;

-- Prefetching shortens the wait at the longest index range, and some iteration does not wait at all.
WITH wait AS (SELECT * FROM prefetch_lengths WHERE quantity = 'mean' ORDER BY length DESC LIMIT 2),
least AS (
    SELECT min(least_later_wait_s) AS least FROM prefetch_wait_length
    WHERE status = 'pass' AND iteration = 0 AND variant = 'prefetch'
      AND index_length = (SELECT max(index_length) FROM prefetch_wait_length))
SELECT 'peshne-c-007/gain' AS id, w.mid / p.mid AS value, w.low / p.high AS low, w.high / p.low AS high,
       printf('times shorter mean wait, length %d%s', length, p.via) AS words
FROM wait AS p JOIN wait AS w USING (length) WHERE p.variant = 'prefetch' AND w.variant = 'no-prefetch'
UNION ALL
SELECT 'peshne-c-007/least', least / mid, least / high, least / low,
       'of the mean wait without prefetching, the shortest wait'
FROM wait, least WHERE variant = 'no-prefetch';

-- Figures 6-1 to 6-3: by the length of the index range. Each block is accessed three times: if only the first access
-- waits, two of three are hits.
WITH p AS (
    SELECT *, lag(mid) OVER at AS before, lag(low) OVER at AS before_low, lag(high) OVER at AS before_high
    FROM prefetch_lengths WHERE variant = 'prefetch' WINDOW at AS (PARTITION BY quantity ORDER BY length))
SELECT 'peshne-c-021' AS id, mid AS value, low, high,
       printf('of the accesses do not wait, length %d%s', length, via) AS words
FROM prefetch_lengths WHERE quantity = 'hits' AND variant = 'no-prefetch'
UNION ALL
SELECT 'peshne-c-022', p.mid - w.mid, p.low - w.high, p.high - w.low, 'more hits with prefetching, length 1' || p.via
FROM p JOIN prefetch_lengths AS w USING (quantity, length) WHERE quantity = 'hits' AND w.variant = 'no-prefetch'
  AND length = 1
UNION ALL
SELECT 'peshne-c-023/rise', mid - before, low - before_high, high - before_low, 'more hits with length 2 than with 1'
       || via
FROM p WHERE quantity = 'hits' AND length = 2
UNION ALL
SELECT 'peshne-c-023/down', before - mid, before_low - high, NULL,
       printf('fewer hits than with a shorter range, length %d', length)
FROM p WHERE quantity = 'hits' AND length <= 6 AND before >= 0 AND (SELECT count(*) FROM p WHERE length = 6) > 0;

-- The gain beyond length 6 as a share of that from 1 to 6, which is unbounded where the intervals allow no gain.
WITH p AS (SELECT * FROM prefetch_lengths WHERE quantity = 'hits' AND variant = 'prefetch'),
gain AS (
    SELECT m.mid - s.mid AS mid, max(m.low - s.high, 0) AS low, m.high - s.low AS high, s.mid - o.mid AS base,
           s.low - o.high AS base_low, s.high - o.low AS base_high, m.length AS length, m.via AS via
    FROM p AS o, p AS s, p AS m
    WHERE o.length = 1 AND s.length = 6 AND m.length = (SELECT max(length) FROM p) AND m.length > 6)
SELECT 'peshne-c-024' AS id, iif(base > 0, mid / base, 9e9) AS value,
       iif(base > 0, min(low / base_high, mid / base), iif(base_high > 0, low / base_high, 9e9)) AS low,
       iif(base_low > 0, high / base_low, 9e9) AS high,
       printf('of the gain up to length 6 comes up to %d%s', length, via) AS words
FROM gain;

WITH p AS (SELECT * FROM prefetch_lengths WHERE quantity = 'first' AND variant = 'prefetch')
SELECT 'peshne-c-025/rank' AS id, coalesce(spearman(length, mid), 0) AS value, NULL AS low, NULL AS high,
       'rank correlation of length and first wait up to one more than blocks are prefetched' || max(via) AS words
FROM p WHERE length <= blocks + 1 HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-025/longest', l.mid / s.mid, l.low / s.high, l.high / s.low,
       printf('times the first wait at length 1, length %d', l.length)
FROM p AS s, p AS l WHERE s.length = 1 AND l.length = (SELECT max(length) FROM p) AND l.length > 1
UNION ALL
SELECT 'peshne-c-026', p.mid / l.mid, p.low / l.high, p.high / l.low,
       printf('times the later waits is the first, length %d%s', length, l.via)
FROM p JOIN prefetch_lengths AS l USING (variant, length) WHERE l.quantity = 'later' AND length >= 5
UNION ALL
SELECT 'peshne-c-027', mid, low, high, printf('times the first wait without prefetching, length %d%s', length, via)
FROM prefetch_length_ratios WHERE quantity = 'first' AND length >= 5;

WITH ratio AS (
    SELECT length, 1 / mid AS mid, 1 / high AS low, 1 / low AS high, via FROM prefetch_length_ratios
    WHERE quantity = 'mean')
SELECT 'peshne-c-028' AS id, mid AS value, low, high, 'times shorter mean wait, length 5' || via AS words
FROM ratio WHERE length = 5
UNION ALL
SELECT 'peshne-c-029', max(mid), max(low), max(high), 'times shorter mean wait at most, above length 9' || max(via)
FROM ratio WHERE length > 9 HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-030/shortest', mid, low, high, 'times shorter mean wait, length 1' || via FROM ratio WHERE length = 1
UNION ALL
SELECT 'peshne-c-030/rank', coalesce(spearman(length, mid), 0), NULL, NULL, 'rank correlation with the length'
FROM ratio
HAVING count(*) > 2;

-- Figures 6-4 to 6-6: by block size. Slopes are fitted in each repetition. In an ordered stream the blocks ahead follow
-- the first one and do not delay it.
WITH first AS (SELECT * FROM prefetch_sizes WHERE quantity = 'first')
SELECT 'peshne-c-031/rank' AS id, coalesce(spearman(elements, mid), 0) AS value, NULL AS low, NULL AS high,
       printf('rank correlation of block size and first wait, %s%s', variant, max(via)) AS words
FROM first GROUP BY variant HAVING count(*) > 2
UNION ALL
SELECT 'peshne-c-031/largest', l.mid / s.mid, l.low / s.high, l.high / s.low,
       printf('times the first wait at %d elements, %d elements, %s', s.elements, l.elements, variant)
FROM first AS s JOIN first AS l USING (variant)
WHERE s.elements = (SELECT min(elements) FROM first) AND l.elements = (SELECT max(elements) FROM first)
UNION ALL
SELECT 'peshne-c-033', median(mid), NULL, NULL, 'times the first wait without prefetching, median above 500 elements'
       || max(via)
FROM prefetch_size_ratios WHERE quantity = 'first' AND elements > 500 HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-035', mid, low, high, printf('times the mean wait without prefetching, %d elements%s', elements, via)
FROM prefetch_size_ratios WHERE quantity = 'mean'
UNION ALL
SELECT 'peshne-c-038/' || quantity, mid, low, high,
       printf('times the %s wait without prefetching, %d elements%s', quantity, elements, via)
FROM prefetch_size_ratios WHERE quantity IN ('mean', 'first')
  AND elements = (SELECT max(elements) FROM prefetch_size_ratios);

WITH ratio AS (
    SELECT 'peshne-c-032' AS id, rep, network, first_p / first_w AS ratio, 'without prefetching, first wait' AS words
    FROM prefetch_slopes
    UNION ALL SELECT 'peshne-c-034', rep, network, mean_p / mean_w, 'without prefetching, mean wait'
    FROM prefetch_slopes
    UNION ALL SELECT 'peshne-c-036', rep, network, later_p / later_w, 'without prefetching, after the first iteration'
    FROM prefetch_slopes
    UNION ALL SELECT 'peshne-c-037', rep, network, first_p / max(first_w, mean_p, mean_w),
                     'the steepest of the others, first wait' FROM prefetch_slopes)
SELECT id, median(ratio) AS value, interval_low(ratio, rep) AS low, interval_high(ratio, rep) AS high,
       printf('times as steep over the block size as %s, network: %s', words, max(network)) AS words
FROM ratio GROUP BY id;

-- Figures 6-7 to 6-9: by the number of blocks to prefetch, at the longest index range. Blocks beyond the end of the
-- index range are not requested.
WITH ahead AS (SELECT * FROM prefetch_block_values WHERE quantity = 'first' AND blocks < length)
SELECT 'peshne-c-039/slope' AS id, median(slope) AS value, interval_low(slope, rep) AS low,
       interval_high(slope, rep) AS high,
       's per block, first wait, network: ' || max(network) AS words
FROM (SELECT rep, line_slope(blocks, value) AS slope, max(network) AS network FROM ahead GROUP BY rep)
HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-039/r2', line_r2(blocks, mid), NULL, NULL, 'R2 of the line' FROM prefetch_blocks
WHERE quantity = 'first' AND blocks < length HAVING count(*) > 2;

WITH wait AS (SELECT * FROM prefetch_blocks WHERE quantity = 'mean'),
best AS (SELECT * FROM wait ORDER BY mid LIMIT 1),
most AS (SELECT * FROM wait ORDER BY blocks DESC LIMIT 1),
rank AS (SELECT spearman(wait.blocks, wait.mid) AS rank FROM wait, best WHERE wait.blocks > best.blocks)
SELECT 'peshne-c-040' AS id, n.mid / k.mid AS value, n.low / k.high AS low, n.high / k.low AS high,
       printf('times the mean wait of %d blocks without prefetching%s', k.blocks, k.via) AS words
FROM wait AS n JOIN wait AS k ON k.blocks > 0 WHERE n.blocks = 0
UNION ALL
SELECT 'peshne-c-041', n.mid / b.mid, n.low / b.high, n.high / b.low,
       printf('times shorter mean wait with %d blocks%s', b.blocks, b.via)
FROM wait AS n, best AS b WHERE n.blocks = 0
UNION ALL
SELECT 'peshne-c-042/inner', m.blocks - b.blocks, NULL, NULL, 'blocks from the best number to the largest' || b.via
FROM best AS b, most AS m WHERE (SELECT count(*) FROM wait) > 2
UNION ALL
SELECT 'peshne-c-042/rise', m.mid / b.mid, m.low / b.high, m.high / b.low,
       printf('times the mean wait of %d blocks with %d', b.blocks, m.blocks)
FROM best AS b, most AS m WHERE (SELECT count(*) FROM wait) > 2
UNION ALL
SELECT 'peshne-c-042/rank', coalesce(rank, 0), coalesce(rank, -1), coalesce(rank, 1),
       'rank correlation beyond the best number'
FROM rank WHERE (SELECT count(*) FROM wait) > 2;

WITH hit AS (
    SELECT *, lag(mid) OVER at AS before, lag(low) OVER at AS before_low FROM prefetch_blocks WHERE quantity = 'hits'
    WINDOW at AS (ORDER BY blocks))
SELECT 'peshne-c-043/rise' AS id, c.mid - n.mid AS value, c.low - n.high AS low, c.high - n.low AS high,
       printf('more hits with %d blocks than with none%s', c.blocks, c.via) AS words
FROM hit AS n, hit AS c WHERE n.blocks = 0 AND c.blocks = (SELECT blocks FROM prefetch_critical)
UNION ALL
SELECT 'peshne-c-043/down', before - mid, before_low - high, NULL,
       printf('fewer hits than with fewer blocks, %d', blocks)
FROM hit WHERE before >= 0 AND blocks <= (SELECT blocks FROM prefetch_critical)
UNION ALL
SELECT 'peshne-c-044', max(hit.blocks) - c.blocks, NULL, NULL,
       printf('blocks more than the %d that saturate%s', c.blocks, max(via))
FROM hit, prefetch_critical AS c HAVING count(*) > 2;

WITH slope AS (
    SELECT quantity, rep, max(network) AS network, line_slope(v.blocks, value) AS slope
    FROM prefetch_block_values AS v, prefetch_critical AS c WHERE v.blocks >= c.blocks AND quantity IN ('first', 'mean')
    GROUP BY quantity, rep)
SELECT 'peshne-c-045/' || quantity AS id, coalesce(median(slope), 0) AS value, interval_low(slope, rep) AS low,
       interval_high(slope, rep) AS high,
       printf('s per block, %s wait, from %d blocks on, network: %s', quantity, (SELECT blocks FROM prefetch_critical),
              max(network)) AS words
FROM slope GROUP BY quantity;

-- The best number of blocks by index length. As good as the best are those whose intervals reach it.
WITH wait AS (
    SELECT index_length AS length, prefetch_blocks AS k, time_low_s AS low,
           first_value(prefetch_blocks) OVER best AS best, first_value(time_high_s) OVER best AS best_high
    FROM prefetch_wait_blocks_median WHERE iteration = 0
    WINDOW best AS (PARTITION BY index_length ORDER BY time_s)),
best AS (
    SELECT length, max(best) AS best, min(k) FILTER (WHERE low <= best_high) AS least,
           max(k) FILTER (WHERE low <= best_high) AS most
    FROM wait GROUP BY length),
step AS (
    SELECT best < lag(best) OVER (ORDER BY length) AS falls,
           most < max(least) OVER (ORDER BY length ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS surely
    FROM best)
SELECT 'peshne-c-046' AS id, sum(falls) AS value, min(sum(falls), sum(surely)) AS low, NULL AS high,
       printf('of %d steps to a longer range with fewer blocks', count(falls)) AS words
FROM step HAVING count(*) > 1;
