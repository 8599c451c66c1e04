/* ucx_calls.h: the functions of UCX that conduit_ucx.c calls. The library is loaded when it is
 * chosen: programs are not linked with it, and run where it is not installed. */
#ifndef COARRAYS_CAF_UCX_CALLS_H
#define COARRAYS_CAF_UCX_CALLS_H

#include <ucp/api/ucp.h>

#include <datamotion/status.h>

#define UCX_FUNCTIONS(each)                                                                        \
    each(ucp_config_read) each(ucp_config_modify) each(ucp_config_release) each(ucp_init_version)  \
        each(ucp_cleanup) each(ucp_worker_create) each(ucp_worker_destroy)                         \
            each(ucp_worker_get_address) each(ucp_worker_release_address)                          \
                each(ucp_worker_progress) each(ucp_worker_set_am_recv_handler) each(ucp_ep_create) \
                    each(ucp_ep_close_nbx) each(ucp_ep_flush_nbx) each(ucp_mem_map)                \
                        each(ucp_mem_unmap) each(ucp_rkey_pack) each(ucp_rkey_buffer_release)      \
                            each(ucp_ep_rkey_unpack) each(ucp_rkey_destroy) each(ucp_put_nbx)      \
                                each(ucp_get_nbx) each(ucp_atomic_op_nbx) each(ucp_am_send_nbx)    \
                                    each(ucp_request_check_status) each(ucp_request_free)          \
                                        each(ucs_status_string)

#define UCX_DECLARE(name) __typeof__(name) *name;
struct ucx_calls {
    UCX_FUNCTIONS(UCX_DECLARE)
};

extern struct ucx_calls ucx;

/* Loads them once. DM_UNAVAILABLE with the loader's sentence. */
enum dm_status ucx_load(void);

#endif
