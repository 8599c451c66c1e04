-- When managed and mapped memory cross the bus, and which of them is better by pattern; the largest array of unified_memory_access.
-- Mapped memory crosses it at each access: many passes take so many times one pass.
WITH t AS (SELECT pattern, variant, time_s AS mid, time_low_s AS low, time_high_s AS high, bytes, bytes_to_device AS moved, device_faults AS faults
           FROM unified_memory_access_median WHERE bytes = (SELECT max(bytes) FROM unified_memory_access_median WHERE pattern = 'read-many')),
cuda AS (SELECT count(*) AS here FROM machine WHERE name = 'device0_kind' AND value = 'cuda'),
passes AS (SELECT many.mid / once.mid AS mid, many.low / once.high AS low, many.high / once.low AS high
           FROM t AS many JOIN t AS once USING (variant) WHERE variant = 'zero-copy' AND many.pattern = 'read-many' AND once.pattern = 'read-once'),
ratio AS (SELECT zero.mid / um.mid AS mid, zero.low / um.high AS low, zero.high / um.low AS high
          FROM t AS zero JOIN t AS um USING (pattern) WHERE zero.variant = 'zero-copy' AND um.variant = 'first-touch')
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
SELECT 'fanfarillo-c-023', printf('zero-copy / first-touch %.2f to %.2f over %d patterns', min(mid), max(mid), count(*)), '< 1 at one pattern, > 1 at another',
       CASE WHEN min(high) < 1 AND max(low) > 1 THEN 1 WHEN min(low) >= 1 OR max(high) <= 1 THEN 0 END, ''
FROM ratio HAVING count(*) > 1;
