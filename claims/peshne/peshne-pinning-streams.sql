-- Copies of page-locked memory beside a kernel and beside one another, at the largest size measured.
WITH largest AS (
    SELECT variant, operation, size_bytes, median(overlap_ratio) AS mid, interval_low(overlap_ratio) AS low,
           interval_high(overlap_ratio) AS high, median(call_share) AS share, interval_low(call_share) AS share_low,
           interval_high(call_share) AS share_high
    FROM pinning_streams
    WHERE status = 'pass' AND size_bytes = (SELECT max(size_bytes) FROM pinning_streams)
    GROUP BY variant, operation),
calls AS (SELECT * FROM largest WHERE variant = 'separate' AND operation = 'opposite_copies')
SELECT 'peshne-c-062' AS id,
       printf('copy and kernel of %d MiB on two streams take %.2f of the time one after the other; the calls take %.4f of a copy',
              beside.size_bytes / 1048576, beside.mid, calls.share) AS measured,
       '<= 0.85, calls < 0.2' AS bound,
       CASE WHEN beside.high <= 0.85 AND calls.share_high < 0.2 THEN 1
            WHEN beside.low > 0.85 OR calls.share_low >= 0.2 THEN 0 END AS ok,
       CASE WHEN beside.low > 0.85 AND (SELECT count(*) FROM pinning_streams WHERE gpu = 'soft') > 0
            THEN 'on the software GPU copies and kernels share this machine''s cores' ELSE '' END AS reason
FROM largest AS beside, calls WHERE beside.variant = 'two_streams' AND beside.operation = 'copy_and_kernel'
UNION ALL
SELECT 'peshne-c-063',
       printf('opposite copies of %d MiB on two streams take %.2f of the time one after the other', size_bytes / 1048576, mid),
       '<= 0.75', CASE WHEN high <= 0.75 THEN 1 WHEN low > 0.75 THEN 0 END,
       CASE WHEN low > 0.75 AND (SELECT count(*) FROM pinning_streams WHERE gpu = 'soft') > 0
            THEN 'on the software GPU both copies share the memory of this machine' ELSE '' END
FROM largest WHERE variant = 'two_streams' AND operation = 'opposite_copies';

-- Nothing here sees how often the driver copies a block; only the time of the detour shows (peshne-c-105).
SELECT 'peshne-c-064' AS id, 'not counted' AS measured, 'one copy less' AS bound, 'waived' AS ok,
       'the copies that a driver makes cannot be counted from outside; c-105 judges their time' AS reason;
