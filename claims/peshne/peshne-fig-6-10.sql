-- The three programs stand in for the thesis's. Run time of them with 1 to 4 servers: with prefetching (p) and without (w).
WITH pair AS (
    SELECT program, servers, p.time_s AS p, p.time_low_s AS p_low, p.time_high_s AS p_high, w.time_s AS w, w.time_low_s AS w_low,
           w.time_high_s AS w_high, w.barrier_wait_s / w.wait_s AS barrier_share
    FROM prefetch_servers_median AS p JOIN prefetch_servers_median AS w USING (program, servers)
    WHERE p.variant = 'prefetch' AND w.variant = 'no-prefetch'),
ends AS (
    SELECT few.program, few.servers AS few, many.servers AS many, few.p AS few_p, many.p AS many_p, many.p_high < few.p_low AS faster,
           many.p_low >= few.p_high AS slower, few.w - few.p AS few_gain, many.w - many.p AS many_gain,
           many.w_low - many.p_high > few.w_high - few.p_low AS more_gain, many.w_high - many.p_low <= few.w_low - few.p_high AS less_gain,
           many.p / many.w AS ratio, many.p_low / many.w_high AS ratio_low, many.p_high / many.w_low AS ratio_high,
           many.barrier_share > 0.5 AS waits_at_barriers, row_number() OVER (ORDER BY many.p / many.w) AS place
    FROM pair AS few JOIN pair AS many USING (program)
    WHERE few.servers = (SELECT min(servers) FROM pair) AND many.servers = (SELECT max(servers) FROM pair) AND few.servers < many.servers),
network AS (SELECT group_concat(DISTINCT network) AS name FROM prefetch_servers),
judged AS (
    SELECT 'peshne-c-047' AS id,
           group_concat(printf('%s %.3g s with %d servers, %.3g s with %d', program, few_p, few, many_p, many), '; ') AS measured,
           'faster with more servers, both programs that gain most' AS bound,
           CASE WHEN sum(faster) = 2 THEN 1 WHEN sum(slower) > 0 THEN 0 END AS ok,
           '; servers that share this machine''s cores do not add to its speed' AS cause
    FROM ends WHERE place <= 2 HAVING count(*) = 2
    UNION ALL
    SELECT 'peshne-c-048', group_concat(printf('%s saves %.3g s with %d servers, %.3g s with %d', program, few_gain, few, many_gain, many), '; '),
           'more with more servers, at least two programs', CASE WHEN sum(more_gain) >= 2 THEN 1 WHEN sum(less_gain) >= 2 THEN 0 END,
           '; servers that share this machine''s cores do not add to its speed'
    FROM ends HAVING count(*) = 3
    UNION ALL
    SELECT 'peshne-c-049',
           printf('with %d servers, run time with / without prefetching: ', max(many))
               || group_concat(printf('%s %.3f%s', program, ratio,
                                      CASE WHEN waits_at_barriers THEN ' (mostly barrier wait)' ELSE '' END), ', '),
           'within 0.05 of 1 for the one with mostly barrier wait, below 1 for the others',
           CASE WHEN sum(waits_at_barriers) <> 1 THEN 0
                WHEN sum(CASE WHEN waits_at_barriers THEN ratio_low >= 0.95 AND ratio_high <= 1.05 ELSE ratio_high < 1 END) = 3 THEN 1
                WHEN sum(CASE WHEN waits_at_barriers THEN ratio_high < 0.95 OR ratio_low > 1.05 ELSE ratio_low >= 1 END) > 0 THEN 0 END,
           ''
    FROM ends HAVING count(*) = 3)
SELECT id, measured, bound, ok, 'stand-in programs; network: ' || name || CASE WHEN ok THEN '' ELSE cause END AS reason FROM judged, network;
