/*
 * What the mock keeps in memory, in large pages.
 *
 * A session's state lies in a dozen places, and between two of its frames everything else passes through the
 * caches. In pages of 4 KB nearly each of these places costs a walk through the page tables then, which in a
 * virtual machine is most of what a frame costs beside the kernel's part.
 */
#ifndef SERVER_MOCK_HEAP_H
#define SERVER_MOCK_HEAP_H

/* Before anything is allocated. Where the system does not offer it, nothing changes. */
void heap_use_large_pages(void);
/* What lies free between what is in use goes back to the system, but for what is kept anyhow. */
void heap_give_back(void);

#endif
