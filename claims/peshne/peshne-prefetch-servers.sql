-- Three programs that stand in for others. Run times with more servers; servers that share this machine's cores do not
-- add to its speed. `place` orders the programs by what they gain with the most servers.
WITH pair AS (
    SELECT m.program, m.few, m.many, f.p AS few_p, f.p_low AS few_low, f.p_high AS few_high, m.p, m.p_low, m.p_high,
           (m.w - m.p) - (f.w - f.p) AS more, (m.w_low - m.p_high) - (f.w_high - f.p_low) AS more_low,
           (m.w_high - m.p_low) - (f.w_low - f.p_high) AS more_high, m.via,
           row_number() OVER (ORDER BY m.p / m.w) AS place
    FROM prefetch_programs AS f JOIN prefetch_programs AS m USING (program)
    WHERE f.servers = f.few AND m.servers = m.many AND m.few < m.many)
SELECT 'peshne-c-047' AS id, few_p / p AS value, few_low / p_high AS low, few_high / p_low AS high,
       printf('times faster with %d servers than with %d, %s%s', many, few, program, via) AS words
FROM pair WHERE place <= 2
UNION ALL
SELECT 'peshne-c-048', sum(more > 0), sum(more_low > 0), sum(more_high > 0),
       printf('of %d programs save more with %d servers than with %d%s', count(*), max(many), max(few), max(via))
FROM pair HAVING count(*) > 2;

-- With the most servers: the program that waits most at barriers, and the others.
WITH most AS (
    SELECT *, row_number() OVER (ORDER BY barrier_share DESC) = 1 AS at_barriers FROM prefetch_programs
    WHERE servers = many AND few < many)
SELECT 'peshne-c-049/' || iif(at_barriers, 'barrier', 'others') AS id, p / w AS value, p_low / w_high AS low,
       p_high / w_low AS high,
       printf('times the run time without prefetching, %s, %d servers%s', program, servers, via) AS words
FROM most
UNION ALL
SELECT 'peshne-c-049/programs', sum(2 * barrier_share > 1), NULL, NULL,
       printf('of %d wait mostly at barriers', count(*))
FROM most HAVING count(*) > 2;

SELECT 'peshne-c-051' AS id, median(barrier_wait_s / wait_s) AS value, interval_low(barrier_wait_s / wait_s) AS low,
       interval_high(barrier_wait_s / wait_s) AS high,
       printf('of the wait is at barriers, %s, %d servers, network: %s', program, servers, network) AS words
FROM prefetch_servers WHERE status = 'pass' AND variant = 'no-prefetch' AND program <> 'scf_like' GROUP BY program,
    servers;

-- Pairs of programs of which the one that gains more waits less for blocks.
WITH most AS (SELECT *, 1 - p / w AS gain FROM prefetch_programs WHERE servers = many)
SELECT 'peshne-c-052' AS id, sum(a.gain > b.gain AND a.block_share < b.block_share) AS value,
       sum(1 - a.p_high / a.w_low > 1 - b.p_low / b.w_high AND a.block_share < b.block_share) AS low, NULL AS high,
       printf('pairs of %d programs gain in another order than they wait for blocks%s', count(DISTINCT a.program),
              max(a.via)) AS words
FROM most AS a JOIN most AS b HAVING count(*) > 8;
