-- When managed and mapped memory cross the bus, and which of them is better by pattern; the largest array of unified_memory_access.
-- Mapped memory crosses it at each access: many passes take so many times one pass.
WITH t AS (SELECT pattern, variant, time_s AS mid, time_low_s AS low, time_high_s AS high, bytes, bytes_to_device AS moved, device_faults AS faults
           FROM unified_memory_access_median WHERE bytes = (SELECT max(bytes) FROM unified_memory_access_median WHERE pattern = 'read-many')),
cuda AS (SELECT count(*) AS here FROM machine WHERE name = 'device0_kind' AND value = 'cuda'),
passes AS (SELECT many.mid / once.mid AS mid, many.low / once.high AS low, many.high / once.low AS high
           FROM t AS many JOIN t AS once USING (variant) WHERE variant = 'zero-copy' AND many.pattern = 'read-many' AND once.pattern = 'read-once'),
ratio AS (SELECT pattern, zero.time_s / um.time_s AS mid, zero.time_low_s / um.time_high_s AS low, zero.time_high_s / um.time_low_s AS high
          FROM unified_memory_access_median AS zero JOIN unified_memory_access_median AS um USING (pattern, bytes)
          WHERE zero.variant = 'zero-copy' AND um.variant = 'first-touch'),
-- A pattern counts where it says the same at every size.
every AS (SELECT pattern, count(*) AS sizes, min(mid) AS least, max(mid) AS most, max(high) <= 0.8 AS worse, max(low) > 0.8 AS not_worse,
                 min(low) >= 1.25 AS better, min(high) < 1.25 AS not_better FROM ratio GROUP BY pattern)
SELECT 'fanfarillo-c-022' AS id,
       printf('prefetched: %d bytes of %d moved, %d faults of the kernel; first touch: %d faults; mapped: ten passes take %.1f times one', ahead.moved,
              ahead.bytes, ahead.faults, touch.faults, passes.mid) AS measured,
       'all moved, no faults; faults; >= 5 times' AS bound,
       CASE WHEN NOT cuda.here THEN 'waived' WHEN ahead.moved < ahead.bytes OR ahead.faults > 0 OR touch.faults = 0 THEN 0
            WHEN passes.low >= 5 THEN 1 WHEN passes.high < 5 THEN 0 END AS ok,
       CASE WHEN cuda.here THEN 'without prefetches pages migrate inside the kernel, when it touches them' ELSE 'the software GPU has no bus' END AS reason
FROM t AS ahead, t AS touch, passes, cuda
WHERE ahead.pattern = 'read-once' AND ahead.variant = 'prefetch' AND touch.pattern = 'read-once' AND touch.variant = 'first-touch'
  AND ahead.moved IS NOT NULL AND touch.faults IS NOT NULL
UNION ALL
SELECT 'fanfarillo-c-023', 'zero-copy / first-touch ' || group_concat(printf('%s %.2f to %.2f', pattern, least, most), ', ') || printf(' over %d sizes', max(sizes)),
       '<= 0.8 at every size of one pattern, >= 1.25 at every size of another',
       CASE WHEN max(worse) AND max(better) THEN 1 WHEN min(not_worse) OR min(not_better) THEN 0 END, ''
FROM every HAVING count(*) > 1;
